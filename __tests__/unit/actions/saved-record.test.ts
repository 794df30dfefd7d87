/** Tests how the action start ends if it is cancelled while it saves its record or sets a status. */
import { describe, expect, it } from '@jest/globals'
import { startAutomation } from '../../../src/actions/start.ts'
import type { StartInputs } from '../../../src/runner/inputs/action-inputs.ts'
import type { Storage } from '../../../src/runner/storage/step-storage.ts'
import { AutomationService } from '../../../src/service/client.ts'
import type { HttpRequest } from '../../../src/service/http-request.ts'
import type { Answer } from '../../../src/service/transport.ts'
import { finished } from '../../support/execution-status.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { recordedStep } from './recorded-step.ts'

const notFetched = () => Promise.reject(new Error('nothing is fetched'))

const connection = {
  baseUrl: 'https://automations.example',
  statusBaseUrl: 'https://automations.example',
  apiToken: 'token-1',
  apiKey: 'key-1',
  authorizationScheme: 'token' as const,
}
const inputs: StartInputs = {
  connection,
  request: {
    project: 'demo',
    automation: 'daily_report',
    seed: undefined,
    webhook: undefined,
    webhookHeaders: undefined,
  },
  rerun: { onRerun: 'resume', rerunKey: '', matrix: 'null' },
  commitStatus: { commitStatus: undefined, commitSha: undefined, githubToken: 'token-2' },
  jobId: undefined,
  dashboard: undefined,
}
/** Inputs that lack a commit, so that setting the status writes a warning. */
const asking = { ...inputs, commitStatus: { ...inputs.commitStatus, commitStatus: 'nightly' } }
const secondAttempt = { GITHUB_RUN_ATTEMPT: '2' }
/** An answer for both the start and the status route: the run has failed. */
const done = { ...finished, error: true, message: 'started' }

/** Returns a service that answers every call with this body. */
function answering(
  body: unknown,
  status = 200,
  onCall: () => unknown = () => undefined,
): AutomationService {
  const answer: Answer = { status, headers: {}, body: JSON.stringify(body), receivedAt: 0 }
  const send = async (_: HttpRequest, signal: AbortSignal) => {
    onCall()
    await Promise.resolve()
    signal.throwIfAborted()
    return answer
  }
  return new AutomationService({ send }, connection)
}

/** Makes a step whose cache contains the keys in `saved`, the newest last. */
async function openStep(saved: string[], given: Parameters<typeof recordedStep>[0] = {}) {
  const temp = await makeTemporaryFolder()
  const environment = { GITHUB_RUN_ID: '7', RUNNER_TEMP: temp.path, ...given.environment }
  const noSuch = () => Promise.reject(new Error('not of one run'))
  const storage: Storage = {
    prepare: () => undefined,
    upload: noSuch,
    restore: noSuch,
    find: ({ prefix }) => {
      const key = saved.findLast((known) => known.startsWith(prefix))
      return Promise.resolve(key)
    },
    save: ({ key }) => {
      saved.push(key)
      return Promise.resolve()
    },
  }
  const connectTo = (service: AutomationService) => () => ({
    service,
    store: { open: notFetched },
    openStorage: () => storage,
    openStatuses: () => Promise.reject(new Error('not asked for')),
  })
  const remove = () => temp[Symbol.asyncDispose]()
  const recorded = recordedStep({ ...given, environment })
  return { ...recorded, storage, connectTo, [Symbol.asyncDispose]: remove }
}

describe('start', () => {
  it('that is cancelled while its record is saved fails as cancelled, with the id', async () => {
    const saved: string[] = []
    const controller = new AbortController()
    await using first = await openStep(saved, { cancelled: controller.signal })
    const { save } = first.storage
    first.storage.save = (file, signal) => {
      controller.abort()
      return save(file, signal)
    }
    const verdict = await startAutomation(inputs, first.step, first.connectTo(answering(done)))
    expect(verdict).toMatchObject({
      kind: 'failed',
      notice: {
        title: 'daily_report: this step was cancelled',
        advice: [
          expect.stringMatching(
            new RegExp(
              `execution-id ${done.exec_uuid}\\. A re-run of this job outputs the id of this run if it is still running then\\. Otherwise, it starts a new run\\.$`,
            ),
          ),
        ],
      },
    })
    expect(first.outputs.get('execution-id')).toBe(done.exec_uuid)
  })

  it('that is cancelled while it sets the commit status of a taken-over run fails as cancelled', async () => {
    const saved: string[] = []
    await using first = await openStep(saved)
    await startAutomation(inputs, first.step, first.connectTo(answering(done)))
    const controller = new AbortController()
    const { signal: cancelled } = controller
    await using second = await openStep(saved, { cancelled, environment: secondAttempt })
    // The step is cancelled at its last message, a note about inputs that the commit status lacks.
    second.step.log.note = () => controller.abort()
    const service = answering({ ...done, error: false, finished: false })
    const verdict = await startAutomation(asking, second.step, second.connectTo(service))
    expect([verdict.kind, second.outputs.get('resumed')]).toEqual(['failed', 'true'])
  })

  it('sets no commit status if it was cancelled during the check of an earlier run', async () => {
    const saved: string[] = []
    await using first = await openStep(saved)
    await startAutomation(inputs, first.step, first.connectTo(answering(done)))
    const controller = new AbortController()
    const { signal: cancelled } = controller
    await using second = await openStep(saved, { cancelled, environment: secondAttempt })
    const service = answering({}, 401, () => controller.abort())
    const verdict = await startAutomation(asking, second.step, second.connectTo(service))
    expect([verdict.kind, second.outputs.get('execution-id')]).toEqual(['failed', done.exec_uuid])
    expect(second.warnings).toEqual([])
  })
})
