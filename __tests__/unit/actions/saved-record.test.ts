/** Tests what run and start save for a re-run, and how they end if they are cancelled meanwhile. */
import { describe, expect, it } from '@jest/globals'
import { runAutomation } from '../../../src/actions/run.ts'
import { startAutomation } from '../../../src/actions/start.ts'
import type { RunInputs, StartInputs } from '../../../src/runner/inputs/read.ts'
import type { Storage } from '../../../src/runner/storage/step-storage.ts'
import { AutomationService } from '../../../src/service/client.ts'
import type { HttpRequest } from '../../../src/service/http-request.ts'
import type { Answer } from '../../../src/service/transport.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { finished } from '../../support/execution-status.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { quietPublishing, recordedStep } from './recorded-step.ts'

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
  start: {
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
const runInputs: RunInputs = {
  ...inputs,
  waiting: { pollInterval: 5_000, timeout: 60_000, failOn: new Set(['error']) },
  retrying: { retries: 0, retryOn: new Set(), resultSchema: undefined },
  publishing: quietPublishing,
}
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
  return new AutomationService({ send }, connection, connection)
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
    postStatus: () => Promise.reject(new Error('not asked for')),
  })
  const remove = () => temp[Symbol.asyncDispose]()
  const recorded = recordedStep({ ...given, environment })
  return { ...recorded, storage, connectTo, [Symbol.asyncDispose]: remove }
}

it('a run that is cancelled while its result is checked saves its id', async () => {
  const saved: string[] = []
  const controller = new AbortController()
  await using first = await openStep(saved, { cancelled: controller.signal })
  const succeeded = { ...done, error: false, result_url: 'https://store.example/result' }
  const content = { status: 200, headers: { 'content-length': '2' }, close: () => undefined }
  const schema = {
    unknownFormats: [],
    validate: () => {
      controller.abort()
      return Promise.reject(new Error('the step was cancelled'))
    },
    [Symbol.dispose]: () => undefined,
  }
  const connect = () => ({
    ...first.connectTo(answering(succeeded))(),
    store: { open: () => Promise.resolve({ ...content, body: bodyOf('{}') }) },
  })
  const retrying = { ...runInputs.retrying, resultSchema: schema }
  // Real file operations take time, and the clock must not advance meanwhile.
  const step = { ...first.step, clock: new SimulatedClock({ maxJump: 0 }) }
  const verdict = await runAutomation({ ...runInputs, retrying }, step, connect)
  expect(verdict).toMatchObject({
    kind: 'failed',
    notice: { title: 'daily_report: this step was cancelled' },
  })
  const id = Buffer.from(finished.exec_uuid ?? '').toString('hex')
  expect(saved.at(-1)).toContain(`-1-started-${id}-`)
})

async function* bodyOf(text: string) {
  yield await Promise.resolve(Buffer.from(text))
}

describe('start', () => {
  it('ends only after its record was saved', async () => {
    const saved: string[] = []
    await using first = await openStep(saved)
    const { step, storage, connectTo } = first
    const asked = Promise.withResolvers<undefined>()
    const saving = Promise.withResolvers<undefined>()
    const { save } = storage
    storage.save = async (file, signal) => {
      asked.resolve(undefined)
      await saving.promise
      return save(file, signal)
    }
    let hasEnded = false
    const ending = startAutomation(inputs, step, connectTo(answering(done))).then(
      () => (hasEnded = true),
    )
    await asked.promise
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    expect(hasEnded).toBe(false)
    saving.resolve(undefined)
    await ending
    expect(saved).toHaveLength(1)
  })

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
    const environment = { GITHUB_RUN_ATTEMPT: '2' }
    await using second = await openStep(saved, { cancelled: controller.signal, environment })
    // The step is cancelled at its last message, a note about inputs that the commit status lacks.
    second.step.log.note = () => controller.abort()
    const asking = {
      ...inputs,
      commitStatus: { ...inputs.commitStatus, commitStatus: 'nightly' },
    }
    const service = answering({ ...done, error: false, finished: false })
    const verdict = await startAutomation(asking, second.step, second.connectTo(service))
    expect([verdict.kind, second.outputs.get('resumed')]).toEqual(['failed', 'true'])
  })

  it.each([
    ['sets no status if it was cancelled during the check', true, []],
    ['sets a status if the check fails', false, [expect.stringContaining('commit-sha is empty')]],
  ])('%s', async (_, isCancelled, tries) => {
    const saved: string[] = []
    await using first = await openStep(saved)
    await startAutomation(inputs, first.step, first.connectTo(answering(done)))
    const controller = new AbortController()
    const { signal: cancelled } = controller
    const environment = { GITHUB_RUN_ATTEMPT: '2' }
    await using second = await openStep(saved, { cancelled, environment })
    const service = answering({}, 401, () => isCancelled && controller.abort())
    const asking = {
      ...inputs,
      commitStatus: { ...inputs.commitStatus, commitStatus: 'nightly' },
    }
    const verdict = await startAutomation(asking, second.step, second.connectTo(service))
    expect([verdict.kind, second.outputs.get('execution-id')]).toEqual(['failed', done.exec_uuid])
    expect(second.warnings).toEqual(tries)
  })
})
