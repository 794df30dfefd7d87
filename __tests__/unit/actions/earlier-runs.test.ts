/** Tests how run and start use an execution of an earlier attempt, and what they save. */
import { describe, expect, it } from '@jest/globals'
import { followExecution } from '../../../src/execution/follow-execution.ts'
import type { RecordedRun } from '../../../src/execution/rerun.ts'
import { findEarlier, reportEarlierRuns } from '../../../src/actions/earlier-runs.ts'
import { openDeadline } from '../../../src/actions/follow-and-report.ts'
import { runAutomation } from '../../../src/actions/run.ts'
import { startAutomation } from '../../../src/actions/start.ts'
import { orAbort } from '../../../src/clock.ts'
import type { RunInputs, StartInputs } from '../../../src/runner/inputs/read.ts'
import { onlyRun } from '../../../src/runner/record/format.ts'
import { Recorder } from '../../../src/runner/record/recorder.ts'
import type { Storage } from '../../../src/runner/storage/step-storage.ts'
import { AutomationService } from '../../../src/service/client.ts'
import type { HttpRequest } from '../../../src/service/http-request.ts'
import type { Answer } from '../../../src/service/transport.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { finished } from '../../support/execution-status.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { recordedStep } from './recorded-step.ts'

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
  commitStatus: { commitStatus: undefined, commitSha: undefined, githubToken: undefined },
  jobId: undefined,
  dashboard: undefined,
}
const runInputs: RunInputs = {
  ...inputs,
  waiting: { pollInterval: 5_000, timeout: 60_000, failOn: new Set(['error']) },
  retrying: { resultSchema: undefined, retries: 0, retryOn: new Set() },
  publishing: {
    uploadArtifact: false,
    artifactName: undefined,
    retentionDays: undefined,
    printResult: false,
    printLog: 'never',
    summary: false,
  },
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

const ignore = () => undefined
const notFetched = () => Promise.reject(new Error('nothing is fetched'))
/** Collaborators that an execution without files does not use. */
const unused = {
  store: { open: notFetched },
  makeFolder: notFetched,
  readLogEnd: notFetched,
  removeFolder: () => Promise.resolve(),
}
const silent = {
  onStarted: ignore,
  onStartRetry: ignore,
  onWait: ignore,
  onStatus: ignore,
  onCheck: ignore,
  onEnding: ignore,
  onDownload: ignore,
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
    find: ({ prefix }) => Promise.resolve(saved.findLast((known) => known.startsWith(prefix))),
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

/**
 * Opens a second attempt. The first attempt started an execution and did not see its end. `lookUp`:
 * how long reading the record takes, in milliseconds.
 */
function openSecond(lookUp = 0) {
  const { step, ...recorded } = recordedStep({ environment: { GITHUB_RUN_ATTEMPT: '2' } })
  const started: RecordedRun = { kind: 'started', attempt: 1, executionId: 'e-1' }
  const record = { attempt: 1, isClosed: true, isReported: false }
  const runs = new Map([[onlyRun, started]])
  const recorder = new Recorder({
    attempt: 2,
    onRerun: 'resume',
    carrier: 'run',
    clock: step.clock,
    prepare: () => undefined,
    store: {
      find: async () => {
        await step.clock.sleep(lookUp)
        return { kind: 'found', record: { ...record, runs } }
      },
      save: () => Promise.resolve({ isSaved: true }),
    },
  })
  return { ...recorded, step, recorder }
}

describe('the check of an earlier execution', () => {
  const never = new AutomationService(
    { send: (_, signal) => orAbort(new Promise<Answer>(() => undefined), signal) },
    connection,
    connection,
  )
  const stillRunning = { ...finished, finished: false }
  const timedOut = (failure: unknown) => ({ kind: 'timed-out', failure })
  it.each<[string, number, AutomationService, number, object | undefined]>([
    ['all of a short timeout is used', 3_000, answering({}, 503), 3_000, timedOut({ status: 503 })],
    ['no answer in a short timeout', 3_000, never, 5_000, timedOut({ name: 'NetworkError' })],
    ['a 404 in a short timeout', 3_000, answering({}, 404), 3_000, timedOut({ status: 404 })],
    ['no answer, but time remains', 60_000, answering({}, 503), 32_000, undefined],
    ['a proper answer in time', 3_000, answering(stillRunning), 0, undefined],
  ])('is limited by timeout: %s', async (_, timeout, service, span, ending) => {
    const { step, recorder } = openSecond()
    using deadline = openDeadline({ timeout }, step)
    const context = { kind: 'waits', recorder, service, deadline } as const
    const began = step.clock.now()
    const earlier = await findEarlier(context, step)
    expect(step.clock.now() - began).toBe(span)
    expect(earlier).toMatchObject({ action: 'follow', executionId: 'e-1' })
    if (ending) expect(earlier).toMatchObject({ ending })
    else expect(earlier).toHaveProperty('ending', undefined)
  })

  it('is made once if reading the record has used up the timeout, and starts nothing', async () => {
    const { step, recorder } = openSecond(20_000)
    using deadline = openDeadline({ timeout: 3_000 }, step)
    const service = answering({}, 404)
    const earlier = await findEarlier({ kind: 'waits', recorder, service, deadline }, step)
    expect(earlier).toMatchObject({ action: 'follow', ending: timedOut({ status: 404 }) })
  })

  it('writes a line for the first failed check, and debug lines for the others', async () => {
    const { step, recorder, printed, debugged } = openSecond()
    const service = answering({}, 503)
    await findEarlier({ kind: 'outputs-id', recorder, service }, step)
    const line = expect.stringMatching(/^A check got no proper answer \(the service answered 503/)
    expect(printed.filter((text) => text.startsWith('A check'))).toEqual([line])
    expect(debugged.length).toBeGreaterThan(2)
  })
})

describe('the answer to the check of an earlier execution', () => {
  /** Follows the execution. The service answers the first check with `first`. */
  async function followAfter(first: object, timeout: number, later: object = { status: 502 }) {
    // The module is loaded here, because simulated time does not wait for imports.
    await import('../../../src/execution/poll.ts')
    const { step, recorder } = openSecond()
    const checks: number[] = []
    const send = () => {
      checks.push(step.clock.now() - began)
      const answer = checks.length === 1 ? first : later
      return Promise.resolve({ status: 200, headers: {}, body: '', receivedAt: 0, ...answer })
    }
    const service = new AutomationService({ send }, connection, connection)
    using deadline = openDeadline({ timeout }, step)
    const context = { kind: 'waits', recorder, service, deadline } as const
    const began = step.clock.now()
    const earlier = await findEarlier(context, step)
    if (earlier.action === 'start') throw new Error('it starts')
    const plan = { begin: earlier, pollInterval: 5_000, deadline }
    const report = await followExecution(plan, { ...unused, ...step, service }, silent)
    return { report, checks, span: step.clock.now() - began }
  }

  const limited = (seconds: string) => ({ status: 429, headers: { 'retry-after': seconds } })

  it.each<[string, number, number[], number]>([
    ['is followed by a check when its Retry-After has ended', 600_000, [0, 100_000], 600_000],
    ['is the last if the time runs out before its Retry-After', 60_000, [0], 60_000],
  ])('%s', async (_, timeout, checkedAt, endedAt) => {
    const { report, checks, span } = await followAfter(limited('100'), timeout, limited('10000'))
    expect([checks, report.checks, span]).toEqual([checkedAt, checkedAt.length, endedAt])
    expect(report.ending).toMatchObject({ kind: 'timed-out', failure: { status: 429 } })
  })

  const running = { ...finished, finished: false, result_url: null, logs_url: null }

  it('is the last status if no later check gets an answer, and begins a pause', async () => {
    const { report, checks } = await followAfter({ body: JSON.stringify(running) }, 8_000)
    expect(report).toMatchObject({
      conclusion: 'timed-out',
      checks: 3,
      ending: { status: running },
    })
    expect(checks).toEqual([0, 5_000, 8_000])
  })

  it('is the end if it reports an error, and no later check gets an answer', async () => {
    const failed = { ...running, error: true }
    const { report } = await followAfter({ body: JSON.stringify(failed) }, 60_000)
    expect(report).toMatchObject({ conclusion: 'error', ending: { status: failed } })
  })

  it('is the end if it refuses the credentials, and no other check is made', async () => {
    const { report, checks } = await followAfter({ status: 401, body: '{}' }, 60_000)
    expect(report).toMatchObject({ conclusion: 'unknown', checks: 1, ending: { kind: 'refused' } })
    expect(checks).toEqual([0])
  })
})

it('says that a batch that was cancelled during its look-up starts nothing', () => {
  const { step, printed, warnings } = recordedStep({ cancelled: AbortSignal.abort() })
  const record = { kind: 'unreadable', why: 'the step was cancelled' } as const
  reportEarlierRuns(record, ['one'], runInputs.again, step)
  expect(printed).toEqual([expect.stringMatching(/cancelled while it looked .*starts nothing\.$/)])
  expect(warnings).toEqual([])
})

it('counts a run of a batch with an invalid result among the runs that are started', () => {
  const { step, printed } = recordedStep()
  const run = { kind: 'ended', attempt: 1, executionId: 'e', conclusion: 'invalid-result' } as const
  const runs = new Map<string, RecordedRun>([['one', run]])
  const record = { attempt: 1, isClosed: true, isReported: false, runs }
  reportEarlierRuns({ kind: 'found', record }, ['one'], runInputs.again, step)
  expect(printed).toEqual([expect.stringContaining('1 run: 1 is started')])
})

describe('run', () => {
  it('marks an end as reported only if all outputs were written', async () => {
    for (const [outputsTaken, kept] of [
      [Infinity, /-reported-error-[0-9a-f]+-/],
      [4, /-started-[0-9a-f]+-/],
    ] as const) {
      const saved: string[] = []
      await using again = await openStep(saved, {
        outputsTaken,
        environment: { GITHUB_RUN_ATTEMPT: '2' },
      })
      await runAutomation(
        { ...runInputs, rerun: { ...inputs.rerun, onRerun: 'start' } },
        again.step,
        again.connectTo(answering(done)),
      )
      expect(saved.at(-1)).toMatch(kept)
    }
  })

  it('that is cancelled while its result is checked saves its id', async () => {
    const saved: string[] = []
    const controller = new AbortController()
    await using first = await openStep(saved, { cancelled: controller.signal })
    const succeeded = { ...done, error: false, result_url: 'https://store.example/result' }
    const content = { status: 200, headers: { 'content-length': '2' }, close: () => undefined }
    const schema = {
      unknownFormats: [],
      check: () => {
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
      annotation: { title: 'daily_report: this step was cancelled' },
    })
    const id = Buffer.from(finished.exec_uuid ?? '').toString('hex')
    expect(saved.at(-1)).toContain(`-1-started-${id}-`)
  })
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
      annotation: {
        title: 'daily_report: this step was cancelled',
        message: expect.stringContaining(`execution-id ${done.exec_uuid}`),
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
