import { describe, expect, it } from '@jest/globals'
import type { Begin } from '../../../src/execution/begin.ts'
import type { RetriableOutcome } from '../../../src/execution/conclusion.ts'
import { conclusionOf, executionIdOf } from '../../../src/execution/report.ts'
import { followRun, type RunSpec, type Validate } from '../../../src/execution/run.ts'
import { afterAnswer, nothingSeen } from '../../../src/execution/seen.ts'
import { maxLastCheck } from '../../../src/execution/watch.ts'
import { record } from '../../support/execution-status.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'
import { ScriptedRun, type Given, type Script } from '../../support/scripted-run.ts'

interface Circumstances extends Given, Partial<Pick<RunSpec, 'retries'>> {
  retryOn?: RetriableOutcome[]
  /** The run begins with execution e-1 of an earlier attempt. `ended`: that execution has ended. */
  earlier?: 'running' | 'ended'
}

async function follow(scripts: readonly Script[], given: Circumstances = {}) {
  const { retries = 2, retryOn = ['container-error'], earlier } = given
  const run = new ScriptedRun(scripts, given, earlier ? 1 : 0)
  const spec = {
    begin: earlier ? takeOver(earlier, run) : startAnew,
    target: undefined,
    retries,
    retryOn: new Set(retryOn),
    pollInterval: 5_000,
    deadline: run.deadline,
    lastCheck: maxLastCheck,
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

const startAnew: Begin = { kind: 'start', because: 'none', seen: nothingSeen }

function takeOver(earlier: 'running' | 'ended', { clock }: ScriptedRun): Begin {
  const status = record(earlier === 'ended' ? died : {})
  const seen = afterAnswer(nothingSeen, status, clock.now())
  return { kind: 'take-over', because: 'running', executionId: 'e-1', seen }
}

const died = { finished: true, container_error: true }
const dies: Script = { checks: [died] }
const raises: Script = { checks: [{ finished: true, error: true }] }
const succeeds: Script = { checks: [{ finished: true }] }
const runs: Script = { checks: [{}] }
const noTime = 'no time was left (the input timeout)'

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
    const pauses = run.events.flatMap((event) => (event.kind === 'retrying' ? [event.pause] : []))

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
    ['its pause would end after the deadline', { timeout: 5_900 }, noTime],
    ['the step is cancelled in its pause', { cancelAt: 5_500 }, 'the step was cancelled'],
  ])('are not made if %s', async (_, given, reason) => {
    const scripts = [{ checks: [{}, died] }, succeeds]
    const { conclusion, notRetried, run } = await follow(scripts, given)

    expect([conclusion, notRetried]).toEqual(['container-error', reason])
    expect(run.startedAt).toEqual([0])
  })
})

describe('a retry whose start is', () => {
  it('refused leaves the failed execution as the end', async () => {
    const refused = httpError(402, { words: 'plan' })
    const { id, conclusion, notRetried } = await follow([dies, { start: refused }])

    expect([id, conclusion]).toEqual(['e-1', 'container-error'])
    expect(notRetried).toBe('the service answered 402: plan')
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
      earlier: 'running',
      timeout: 60_000,
    })

    expect(executions).toEqual(['e-1 container-error', 'e-2 timed-out'])
    expect([run.startedAt.length, report.watched]).toEqual([1, 'all'])
  })

  it('is only published if it had ended, and never retried', async () => {
    const { conclusion, report, run } = await follow([dies, succeeds], { earlier: 'ended' })

    expect([conclusion, report.watched]).toEqual(['container-error', 'one-check'])
    expect([run.startedAt, run.checkedAt]).toEqual([[], []])
  })
})

describe('a result that is validated', () => {
  const invalid = { kind: 'invalid', problems: { lines: ['it is empty'], count: 1 } } as const
  const validations = (...kinds: Awaited<ReturnType<Validate>>[]): Validate => {
    return () => Promise.resolve(kinds.shift() ?? { kind: 'valid' })
  }

  it.each<[string, Awaited<ReturnType<Validate>>, string]>([
    ['valid', { kind: 'valid' }, 'success'],
    ['invalid', invalid, 'invalid-result'],
    ['not validated in time', { kind: 'not-made', why: 'no time' }, 'unknown'],
    ['lost', { kind: 'none' }, 'success'],
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

describe('the events', () => {
  it('of a run with a retry come in this order', async () => {
    const first: Script = { checks: [{}, died] }
    const { run } = await follow([first, succeeds])
    const events = run.events.map((event) =>
      event.kind === 'ended' ? `ended, ${event.isFinal ? 'final' : 'not final'}` : event.kind,
    )

    expect(events).toEqual([
      ...['started', 'watching', 'checked', 'checked', 'ended, not final', 'retrying'],
      ...['started', 'watching', 'checked', 'ended, final'],
    ])
  })

  it('of a start that is sent again', async () => {
    const { run } = await follow([{ start: connectionRefused() }], { timeout: 2_500 })

    expect(run.events.map(({ kind }) => kind)).toEqual(['not-accepted', 'not-accepted', 'ended'])
  })

  it('a retry that is not started is not the final end', async () => {
    const { run } = await follow([dies, { start: httpError(400) }])
    const finals = run.events.flatMap((event) => (event.kind === 'ended' ? [event.isFinal] : []))

    expect(finals).toEqual([false, false])
  })
})

it('the report has the beginning and the end of the newest execution', async () => {
  const { report } = await follow([dies, { checks: [{}, { finished: true }] }])

  expect(report.duration).toBe(5_000)
  expect(report.finishedOn.getTime() - report.startedOn.getTime()).toBe(5_000)
  expect(report.executions.at(-1)).toMatchObject({ finishedOn: report.finishedOn })
})
