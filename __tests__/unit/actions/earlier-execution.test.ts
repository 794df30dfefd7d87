import { describe, expect, it } from '@jest/globals'
import { findEarlier } from '../../../src/actions/earlier-execution.ts'
import { startAutomation } from '../../../src/actions/start.ts'
import type { RecordedRun } from '../../../src/execution/rerun.ts'
import type { StartInputs } from '../../../src/runner/inputs/read.ts'
import { type KeptRun, onlyRun } from '../../../src/runner/record/format.ts'
import { Recorder } from '../../../src/runner/record/recorder.ts'
import type { Storage } from '../../../src/runner/storage/step-storage.ts'
import { AutomationService } from '../../../src/service/client.ts'
import { finished } from '../../support/execution-status.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { recordedStep } from './recorded-step.ts'

const started: KeptRun & RecordedRun = { kind: 'started', attempt: 1, executionId: 'e-1' }
const connection = {
  baseUrl: 'https://automations.example',
  statusBaseUrl: 'https://automations.example',
  apiToken: 'token-1',
  apiKey: 'key-1',
  authorizationScheme: 'token' as const,
}

/** A service that answers every call with this. */
function answering(body: unknown): AutomationService {
  const answer = { status: 200, headers: {}, body: JSON.stringify(body), receivedAt: 0 }
  return new AutomationService({ send: () => Promise.resolve(answer) }, connection, connection)
}

it('hands an end that was just seen to whoever follows the execution', async () => {
  const { step } = recordedStep({ environment: { GITHUB_RUN_ATTEMPT: '2' } })
  const record = { attempt: 1, isClosed: true, isReported: false }
  const recorder = new Recorder({
    attempt: 2,
    onRerun: 'resume',
    names: [onlyRun],
    clock: step.clock,
    prepare: () => undefined,
    store: {
      find: () =>
        Promise.resolve({
          kind: 'found',
          record: { ...record, runs: new Map([[onlyRun, started]]) },
        }),
      save: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    },
  })
  const service = answering(finished)
  const context = { waiting: 'waits', onRerun: 'resume', recorder, service } as const
  expect(await findEarlier(context, step)).toMatchObject({
    action: 'follow',
    executionId: 'e-1',
    standing: 'success',
    ending: { kind: 'finished', outcome: 'success' },
  })
})

describe('start', () => {
  it('ends once its record is saved, and not before', async () => {
    await using temp = await makeTemporaryFolder()
    const environment = { GITHUB_RUN_ID: '7', RUNNER_TEMP: temp.path }
    const { step } = recordedStep({ environment })
    const asked = Promise.withResolvers<undefined>()
    const saving = Promise.withResolvers<undefined>()
    const saved: string[] = []
    const none = () => Promise.resolve({ kind: 'report', report: { kind: 'none' } } as const)
    const storage: Storage = {
      prepare: () => undefined,
      upload: () => Promise.reject(new Error('nothing is uploaded')),
      find: none,
      restoreFile: none,
      saveFile: () => Promise.reject(new Error('it is no batch')),
      save: async (key) => {
        asked.resolve(undefined)
        await saving.promise
        saved.push(key)
        return { kind: 'report', report: { kind: 'saved' } }
      },
    }
    const inputs: StartInputs = {
      connection,
      start: { project: 'demo', automation: 'daily_report' },
      again: { onRerun: 'resume', rerunKey: '', matrix: 'null' },
      commitStatus: undefined,
    }
    const connect = () => ({
      service: answering({ message: 'started', execution_id: 'e-1' }),
      store: { open: () => Promise.reject(new Error('nothing is fetched')) },
      openStorage: () => storage,
    })
    let isOver = false
    const ending = startAutomation(inputs, step, connect).then(() => (isOver = true))
    await asked.promise
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    expect(isOver).toBe(false)
    saving.resolve(undefined)
    await ending
    expect(saved).toHaveLength(1)
  })
})
