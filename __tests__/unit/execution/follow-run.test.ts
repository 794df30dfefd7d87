import { describe, expect, it } from '@jest/globals'
import type { TakenOver } from '../../../src/execution/begin.ts'
import type { RetriableOutcome } from '../../../src/execution/conclusion.ts'
import { conclusionOf, executionIdOf } from '../../../src/execution/report.ts'
import { followRun, type RunEnv } from '../../../src/execution/follow-run.ts'
import { afterAnswer, afterFailure, nothingSeen } from '../../../src/execution/seen.ts'
import { usualLastCheckTime } from '../../../src/execution/watch.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import { ServiceError } from '../../../src/service/service-errors.ts'
import { record } from '../../support/execution-status.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { ScriptedRun, storeOf, type Given, type Script } from '../../support/scripted-run.ts'

interface Circumstances extends Given {
  retries?: number
  retryOn?: RetriableOutcome[]
  /** The run begins with execution e-1 of an earlier attempt. One check of it got this answer. */
  earlier?: Partial<ExecutionStatus> | ServiceError
}

async function follow(scripts: readonly Script[], given: Circumstances = {}) {
  const { retries = 2, retryOn = ['container-error'], earlier } = given
  const run = new ScriptedRun(scripts, given, earlier ? 1 : 0)
  const spec = {
    takenOver: earlier && takeOver(earlier, run),
    target,
    retrying: { retries, retryOn: new Set(retryOn) },
    pollInterval: 5_000,
    deadline: run.deadline,
    lastCheckTime: usualLastCheckTime,
  }
  const report = await run.finish(followRun(spec, run.env, run.emit))
  const { end, executions, notRetried } = report
  return {
    report,
    id: executionIdOf(end),
    conclusion: conclusionOf(end),
    executions: executions.map(({ executionId, conclusion }) => `${executionId} ${conclusion}`),
    notRetried,
    run,
  }
}

const target = { project: 'demo', automation: 'report', webhookGiven: true }

function takeOver(
  earlier: NonNullable<Circumstances['earlier']>,
  { clock }: ScriptedRun,
): TakenOver {
  const seen =
    earlier instanceof ServiceError
      ? afterFailure(nothingSeen, earlier, clock.now())
      : afterAnswer(nothingSeen, record(earlier), clock.now())
  const since = { at: clock.now(), on: clock.date() }
  return { executionId: 'e-1', seen, since }
}

const died = { finished: true, container_error: true }
const dies: Script = { checks: [died] }
const raises: Script = { checks: [{ finished: true, error: true }] }
const succeeds: Script = { checks: [{ finished: true }] }
const runs: Script = { checks: [{}] }
const link = 'https://store.test/file'
const noTime = 'no time was left (the input timeout)'

it.each<[string, Script, Circumstances, object]>([
  ['all of an execution that it started', succeeds, {}, { watched: 'all' }],
  ['one check of an execution that had ended', {}, { earlier: died }, { watched: 'one-check' }],
  ['one check before the timeout', runs, { earlier: {}, timeout: 0 }, { watched: 'one-check' }],
  ['a part of an execution that existed', succeeds, { earlier: {} }, { watched: 'a-part' }],
])('a step has seen %s', async (_, script, given, seen) => {
  expect((await follow([script], given)).report).toMatchObject(seen)
})

describe('retries', () => {
  it('start an execution after each one that died, until one ends differently', async () => {
    const { executions, conclusion, run } = await follow([dies, dies, succeeds])

    expect(executions).toEqual(['e-1 container-error', 'e-2 container-error', 'e-3 success'])
    expect([conclusion, run.startedAt]).toEqual(['success', [0, 1_000, 3_000]])
  })

  it('are no more than the input allows', async () => {
    const { executions, notRetried } = await follow([dies, dies, dies, dies], { retries: 2 })

    expect([executions.length, notRetried]).toEqual([3, undefined])
  })

  it('pause 60 s at most', async () => {
    const { run } = await follow(Array<Script>(11).fill(dies), { retries: 10 })
    const retries = run.events.filter((event) => event.kind === 'retrying')
    const pauses = retries.map(({ pause }) => pause)

    expect(retries[0]?.max).toBe(11)
    expect(pauses.slice(-5)).toEqual([32_000, 60_000, 60_000, 60_000, 60_000])
  })

  it('keep the files of the newest execution only', async () => {
    expect((await follow([dies, dies, succeeds])).run.removed).toEqual(['folder-1', 'folder-2'])
    expect((await follow([dies, { start: httpError(400) }])).run.removed).toEqual([])
  })

  it.each<[string, Script, RetriableOutcome[], number]>([
    ['an error that retry-on names', raises, ['error'], 2],
    ['an error that it does not name', raises, ['container-error'], 1],
    ['a success', succeeds, ['error', 'container-error'], 1],
    ['a stop', { checks: [{ finished: true, stopped: true }] }, ['error', 'container-error'], 1],
    // The container may still be running.
    ['a flag without finished', { checks: [{ container_error: true }] }, ['container-error'], 1],
    ['a timeout', runs, ['error', 'container-error'], 1],
    ['404 for 30 s', { checks: [404] }, ['error', 'container-error'], 1],
    ['refused credentials', { checks: [401] }, ['error', 'container-error'], 1],
    ['an unclear start', { start: connectionReset() }, ['error', 'container-error'], 1],
    ['a refused start', { start: httpError(422) }, ['error', 'container-error'], 1],
  ])('%s: %j, %j, %d starts', async (_, first, retryOn, starts) => {
    const { run } = await follow([first, succeeds], { retryOn })

    expect(run.startedAt).toHaveLength(starts)
  })

  it.each([
    ['its pause would end with the deadline', { timeout: 6_000 }, noTime],
    ['the step is cancelled in its pause', { cancelAt: 5_500 }, 'the step was cancelled'],
  ])('are not made if %s', async (_, given, reason) => {
    const scripts = [{ checks: [{}, died] }, succeeds]
    const { conclusion, notRetried, run } = await follow(scripts, given)

    expect([conclusion, notRetried]).toEqual(['container-error', reason])
    expect(run.startedAt).toEqual([0])
  })

  it.each([
    ['the step is cancelled', { cancelAt: 2_000 }, 'the step was cancelled'],
    ['the time runs out', { timeout: 2_000 }, noTime],
  ])('are not made if %s while files are fetched', async (_, given, reason) => {
    const withLog: Script = { checks: [{ ...died, logs_url: link }] }
    const { notRetried, run } = await follow([withLog, succeeds], given)

    expect([notRetried, run.startedAt]).toEqual([reason, [0]])
    expect(run.events.slice(-2).map(({ kind }) => kind)).toEqual(['download', 'collected'])
  })
})

describe('a retry whose start is', () => {
  it('refused leaves the failed execution as the end', async () => {
    const refused = httpError(402, { words: 'plan' })
    const { id, conclusion, notRetried } = await follow([dies, { start: refused }])

    expect([id, conclusion]).toEqual(['e-1', 'container-error'])
    expect(notRetried).toBe('the service answered 402: plan')
  })

  it('refused after a cancellation names the refusal', async () => {
    const late: Script = { start: httpError(403), latency: 1_500 }
    const { notRetried } = await follow([dies, late], { cancelAt: 2_000 })

    expect(notRetried).toBe('the service answered 403')
  })

  it('not sent because of a cancellation says so', async () => {
    const { notRetried } = await follow([dies, { start: connectionRefused() }], { cancelAt: 2_500 })

    expect(notRetried).toBe('the step was cancelled')
  })

  it('unclear is the end, and the report has the executions before it', async () => {
    const unclear = await follow([dies, { start: connectionReset() }])

    expect([unclear.id, unclear.conclusion]).toEqual([undefined, 'unknown'])
    expect(unclear.executions).toEqual(['e-1 container-error'])
  })
})

describe('an execution that is taken over', () => {
  it('is followed and retried like one that this step started', async () => {
    const { executions, report, run } = await follow([dies, runs], {
      earlier: {},
      timeout: 60_000,
    })

    expect(executions).toEqual(['e-1 container-error', 'e-2 timed-out'])
    expect([run.startedAt.length, report.watched]).toEqual([1, 'all'])
  })

  it('is only published if it had ended, and never retried', async () => {
    const { conclusion, report, run } = await follow([dies, succeeds], { earlier: died })

    expect([conclusion, report.watched]).toEqual(['container-error', 'one-check'])
    expect([run.startedAt, run.checkedAt]).toEqual([[], []])
  })

  it('has failed 30 s after its flag, also if the service does not answer any more', async () => {
    const { conclusion, run } = await follow([{ checks: [503] }], { earlier: { error: true } })

    expect([conclusion, run.clock.elapsed]).toEqual(['error', 30_000])
  })

  it('is not checked again if the credentials were refused', async () => {
    const { conclusion, run } = await follow([succeeds], { earlier: httpError(401) })

    expect([conclusion, run.startedAt, run.checkedAt]).toEqual(['unknown', [], []])
  })
})

type Validate = NonNullable<RunEnv['validate']>

describe('a result that is validated', () => {
  const invalid = { kind: 'invalid', problems: { lines: ['it is empty'], count: 1 } } as const
  const validations = (...kinds: Awaited<ReturnType<Validate>>[]): Validate => {
    return () => Promise.resolve(kinds.shift() ?? { kind: 'passed' })
  }

  it.each<[string, Awaited<ReturnType<Validate>>, string]>([
    ['valid', { kind: 'passed' }, 'success'],
    ['invalid', invalid, 'invalid-result'],
    ['not validated in time', { kind: 'not-made', why: 'no time' }, 'unknown'],
  ])('and is %j: %j, %s', async (_, validation, conclusion) => {
    expect((await follow([succeeds], { validate: validations(validation) })).conclusion).toBe(
      conclusion,
    )
  })

  it('is the result of a success, and of no other end', async () => {
    const { conclusion } = await follow([raises], { validate: validations(invalid) })

    expect(conclusion).toBe('error')
  })

  it('and invalid is retried if retry-on names invalid-result, and not if it was not validated', async () => {
    const retried = { retryOn: ['invalid-result' as const] }
    const valid = await follow([succeeds, succeeds], { ...retried, validate: validations(invalid) })
    const unknown = await follow([succeeds, succeeds], {
      ...retried,
      validate: validations({ kind: 'not-made', why: 'no time' }),
    })

    expect(valid.executions).toEqual(['e-1 invalid-result', 'e-2 success'])
    expect(unknown.executions).toEqual(['e-1 unknown'])
  })

  it('of an execution that had ended is not retried', async () => {
    const { conclusion, run } = await follow([succeeds, succeeds], {
      earlier: { finished: true },
      retryOn: ['invalid-result'],
      validate: validations(invalid),
    })

    expect([conclusion, run.startedAt]).toEqual(['invalid-result', []])
  })

  it.each([
    ['a cancellation', { cancelAt: 2_000 }, 'cancelled'],
    ['its store', {}, 'success'],
  ])('and lost because of %s: %j, %s', async (_, given, conclusion) => {
    const kept: Script = { checks: [{ finished: true, result_url: link }] }

    expect((await follow([kept], { ...given, validate: validations() })).conclusion).toBe(
      conclusion,
    )
  })

  it('during a cancellation is no success', async () => {
    const cut = () => Promise.reject(new Error('cancelled'))
    const { conclusion } = await follow([{ checks: [{}, { finished: true }] }], {
      cancelAt: 5_000,
      validate: cut,
    })

    expect(conclusion).toBe('cancelled')
  })

  it('fails the step as a bug if the validation fails without a cancellation', async () => {
    const broken = () => Promise.reject(new Error('a bug'))

    await expect(follow([succeeds], { validate: broken })).rejects.toThrow('a bug')
  })
})

describe('the log of an execution', () => {
  /** Follows a run that ends with these flags. The store answers with these statuses first. */
  async function followFailed(flags: Partial<ExecutionStatus>, statuses: readonly number[] = []) {
    await using folder = await makeTemporaryFolder()
    const store = storeOf('starting\nerror: row 7 is empty\n', ...statuses)
    const checks = [{ ...flags, finished: true, logs_url: link }]
    return await follow([{ checks }], { retries: 0, files: { store, folder: folder.path } })
  }

  const cause = 'error: row 7 is empty'
  const lost = Array<number>(5).fill(403)

  it.each([
    [{ error: true }, [], cause],
    [{ container_error: true }, [], cause],
    [{ stopped: true }, [], undefined],
    [{}, [], undefined],
    [{ error: true }, lost, undefined],
  ])('after %j, the store answering %j, gives the cause: %s', async (flags, statuses, text) => {
    const { report } = await followFailed(flags, statuses)

    expect(report.executions[0]?.cause?.text).toBe(text)
    expect(report.end).toHaveProperty('cause', report.executions[0]?.cause)
  })

  it('is fetched after the end, and the request for a fresh link is no check', async () => {
    const { report, run } = await followFailed({ error: true }, [403])

    expect(run.events.slice(-3).map(({ kind }) => kind)).toEqual(['ended', 'download', 'collected'])
    expect(report.end).toMatchObject({ seen: { checks: 1 }, files: { log: { kind: 'file' } } })
    expect(run.checkedAt).toHaveLength(2)
  })
})

describe('the events', () => {
  it('of a run with a retry come in this order', async () => {
    const first: Script = { checks: [{}, died] }
    const { run } = await follow([first, succeeds])
    const events = run.events.map((event) =>
      'isRetryDue' in event
        ? `${event.end.kind}${event.isRetryDue ? ', a retry is due' : ''}`
        : event.kind,
    )

    expect(events).toEqual([
      ...['started', 'watching', 'checked', 'checked'],
      ...['finished, a retry is due', 'collected, a retry is due', 'retrying'],
      ...['started', 'watching', 'checked', 'finished', 'collected'],
    ])
  })

  it('of a start that is sent again', async () => {
    const { run } = await follow([{ start: connectionRefused() }], { timeout: 2_500 })

    expect(run.events.map(({ kind }) => kind)).toEqual(['start-retry', 'start-retry', 'ended'])
  })

  it('of a retry that is not started include no end', async () => {
    const { run } = await follow([dies, { start: httpError(400) }])

    expect(run.events.at(-1)?.kind).toBe('retrying')
  })

  it('name the end again when the result was validated', async () => {
    const { run } = await follow([succeeds], {
      validate: () => Promise.resolve({ kind: 'not-made', why: 'no time' }),
    })
    const ends = run.events.flatMap((event) => ('isRetryDue' in event ? [event.end] : []))

    expect(ends.map(conclusionOf)).toEqual(['success', 'unknown'])
  })
})

it('the report has the automation, and the beginning and the end of the newest execution', async () => {
  const { report } = await follow([dies, { checks: [{}, { finished: true }] }])

  expect(report.target).toBe(target)
  expect(report.duration).toBe(5_000)
  expect(report.finishedOn.getTime() - report.startedOn.getTime()).toBe(5_000)
  expect(report.executions.at(-1)).toMatchObject({ finishedOn: report.finishedOn })
})
