import { describe, expect, it } from '@jest/globals'
import { endOfWatch } from '../../../src/execution/report.ts'
import { afterAnswer, afterFailure, nothingSeen, type Seen } from '../../../src/execution/seen.ts'
import { pauseBetweenChecks, watch, type WatchPlan } from '../../../src/execution/watch.ts'
import { NotSentError } from '../../../src/service/service-errors.ts'
import { record } from '../../support/execution-status.ts'
import { connectionReset, httpError } from '../../support/failures.ts'
import { ScriptedRun, slow, type Check, type Given } from '../../support/scripted-run.ts'

interface Watched
  extends Given, Partial<Pick<WatchPlan, 'until' | 'pollInterval' | 'lastCheckTime'>> {
  before?: (run: ScriptedRun) => Seen
}

async function watchRun(checks: readonly Check[], given: Watched = {}) {
  const run = new ScriptedRun([{ checks }], { random: () => 0, ...given }, 1)
  const { until = 'end', pollInterval = 5_000, lastCheckTime = 2_000, before } = given
  const plan = { until, pollInterval, lastCheckTime, deadline: run.deadline }
  const seen = await run.finish(watch('e-1', before?.(run) ?? nothingSeen, plan, run.env, run.emit))
  const pauses = run.events.flatMap((event) => (event.kind === 'checked' ? [event.pause] : []))
  const end = endOfWatch('e-1', seen, run.env.cancelled)
  const { checkedAt, clock } = run
  return { seen, end, pauses, checkedAt, endedAt: clock.elapsed, events: run.events }
}

const running = {}
const finished = { finished: true }
const proven = httpError(401, { isProven: true })
const flagged = { error: true }
const hangs = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(connectionReset()))
  })

describe('a watch ends', () => {
  it.each<[string, Check[], Watched, string, number]>([
    ['when the run finishes', [running, running, finished], {}, 'finished', 10_000],
    ['30 s after a flag, with a check at their end', [flagged], {}, 'finished', 30_000],
    ['after a refusal of the credentials', [401], {}, 'lost', 0],
    ['after 30 s of refusals of proven credentials', [running, proven], {}, 'lost', 35_000],
    [
      'when the run finishes after one such refusal',
      [running, proven, finished],
      {},
      'finished',
      10_000,
    ],
    ['after 30 s of 404', [404], {}, 'lost', 30_000],
    ['after 5 minutes of another refusal', [422], {}, 'lost', 300_000],
    [
      'when its time is over, however long a Retry-After is',
      [httpError(503, { retryAfter: 10 ** 12 })],
      { timeout: 90_000 },
      'timed-out',
      90_000,
    ],
    ['when its time is over', [running], { timeout: 12_000 }, 'timed-out', 12_000],
    [
      'when its time is over, with an error',
      [connectionReset()],
      { timeout: 60_000 },
      'timed-out',
      60_000,
    ],
    [
      'when its time is over, also after a flag',
      [flagged],
      { timeout: 12_000 },
      'timed-out',
      12_000,
    ],
    ['when the step is cancelled in a pause', [running], { cancelAt: 7_000 }, 'cancelled', 7_000],
    ['when the step is cancelled during a check', [hangs], { cancelAt: 7_000 }, 'cancelled', 7_000],
    [
      'when the step is cancelled, also after a flag',
      [flagged],
      { cancelAt: 7_000 },
      'cancelled',
      7_000,
    ],
    [
      'when the step is cancelled during the check at the end of a grace',
      [flagged, flagged, hangs],
      { pollInterval: 20_000, cancelAt: 31_000 },
      'cancelled',
      31_000,
    ],
    [
      'with the end, if the run ended before the cancellation',
      [running, finished],
      { cancelAt: 5_000.5 },
      'finished',
      5_000,
    ],
  ])('%s', async (_, checks, given, kind, endedAt) => {
    const watched = await watchRun(checks, given)

    expect([watched.end.kind, watched.endedAt]).toEqual([kind, endedAt])
  })

  it('with an exception, if a check fails because of a bug', async () => {
    await expect(watchRun([new TypeError('x is undefined')])).rejects.toThrow('x is undefined')
  })
})

describe('at the deadline', () => {
  it('a check that hangs is cut, and one last check of 2 s follows', async () => {
    const watched = await watchRun([hangs], { timeout: 10_000 })

    expect(watched.checkedAt).toEqual([0, 10_000])
    expect([watched.end.kind, watched.endedAt]).toEqual(['timed-out', 12_000])
    expect(watched.seen.failure?.message).toBe('no answer arrived in time')
  })

  it('the last check sees the end', async () => {
    const watched = await watchRun([running, running, running, finished], { timeout: 12_000 })

    expect([watched.end.kind, watched.checkedAt.at(-1)]).toEqual(['finished', 12_000])
  })

  it.each([
    [1_999, 'finished'],
    [2_001, 'timed-out'],
  ])('the answer to the last check counts, or not: after %d ms, %s', async (span, kind) => {
    const watched = await watchRun([running, slow(span, finished)], { timeout: 4_000 })

    expect(watched.end.kind).toBe(kind)
  })

  it.each([30_000, 60_000])('a Retry-After delays no last check (after %d ms)', async (timeout) => {
    const held = httpError(429, { retryAfter: 60_000 })
    const watched = await watchRun([held, finished], { timeout })

    expect([watched.end.kind, watched.checkedAt]).toEqual(['finished', [0, timeout]])
  })

  it('a watch without time makes one check, which may take as long as the plan says', async () => {
    const watched = await watchRun([hangs], { timeout: 0, lastCheckTime: 10_000 })

    expect([watched.checkedAt, watched.endedAt]).toEqual([[0], 10_000])
  })
})

describe('the pauses', () => {
  it.each([
    [0, 5_000, 5_000],
    [250_000, 5_000, 5_000],
    [600_000, 5_000, 12_000],
    [1_500_000, 5_000, 30_000],
    [86_400_000, 5_000, 30_000],
    [86_400_000, 60_000, 60_000],
  ])('after %d ms, with a poll-interval of %d ms: %d ms', (age, pollInterval, pause) => {
    expect(pauseBetweenChecks(age, pollInterval)).toBe(pause)
  })

  it('double while checks fail, up to 60 s, until one succeeds', async () => {
    const failures = Array<Check>(6).fill(connectionReset())
    const { pauses } = await watchRun([...failures, running, finished], { random: () => 1 })

    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 5_000, undefined])
  })

  it('are spread by jitter after failures, and never shorter than poll-interval', async () => {
    const failures = Array<Check>(4).fill(connectionReset())

    expect((await watchRun([...failures, finished])).pauses).toEqual([
      5_000,
      5_000,
      10_000,
      20_000,
      undefined,
    ])
  })

  it.each([
    [429, 40_000, 40_000],
    [404, 20_000, 20_000],
    [503, 1_000, 5_000],
    // The check at the end of a grace comes in time, unless the Retry-After ends later.
    [404, 45_000, 45_000],
  ])(
    'last at least as long as the Retry-After of a %d says: %d ms',
    async (status, retryAfter, pause) => {
      const { pauses } = await watchRun([httpError(status, { retryAfter }), finished])

      expect(pauses[0]).toBe(pause)
    },
  )

  it('end with a running grace', async () => {
    const later = httpError(400, { retryAfter: 1_000 })
    const given = { pollInterval: 240_000 }
    expect((await watchRun([400, later], given)).checkedAt).toEqual([0, 240_000, 300_000])
    expect((await watchRun([404])).checkedAt).toEqual([0, 5_000, 10_000, 20_000, 30_000])
    expect((await watchRun([flagged], { pollInterval: 20_000 })).checkedAt).toEqual([
      0, 20_000, 30_000,
    ])
  })

  it('are as long as the other runs of a batch demand', async () => {
    expect((await watchRun([running, finished], { minPause: () => 9_000 })).pauses[0]).toBe(9_000)
  })
})

describe('timers that fire early', () => {
  const early = 0.6
  const held = (retryAfter: number) => [httpError(429, { retryAfter }), finished]

  it.each([300, 1_000, 90_000])('do not end a watch after %d ms of Retry-After', async (span) => {
    const { end, checkedAt } = await watchRun(held(span), { early })

    expect([end.kind, checkedAt.length]).toEqual(['finished', 2])
  })

  it('make no difference at the deadline', async () => {
    const held = httpError(429, { retryAfter: 60_000 })
    const during = await watchRun([held, finished], { early, timeout: 20_000 })
    const last = await watchRun([503, finished], { early, timeout: 4_000 })

    expect([during.end.kind, last.end.kind]).toEqual(['finished', 'finished'])
  })
})

describe('a check that was not sent', () => {
  it('is no event and counts nowhere', async () => {
    const watched = await watchRun([new NotSentError('no turn'), running, finished])

    expect(watched.seen).toMatchObject({ checks: 2, failedChecks: 0 })
    expect(watched.pauses).toHaveLength(2)
  })
})

describe('a watch until the first answer', () => {
  it('stops at an answer, and not at an error', async () => {
    const watched = await watchRun([500, running, finished], { until: 'answer' })

    expect(watched.seen).toMatchObject({ checks: 2, status: record(running) })
    expect(watched.events.map(({ kind }) => kind)).toEqual(['checked', 'checked'])
  })
})

describe('a watch that is continued', () => {
  const answered = (run: ScriptedRun) => afterAnswer(nothingSeen, record(running), run.clock.now())

  it('begins with a pause, and adds to the earlier checks', async () => {
    const watched = await watchRun([finished], { before: answered })

    expect(watched.checkedAt).toEqual([5_000])
    expect(watched.seen.checks).toBe(2)
  })

  it('waits for the Retry-After of the earlier check', async () => {
    const failure = httpError(503, { retryAfter: 20_000 })
    const before = ({ clock }: ScriptedRun) => afterFailure(nothingSeen, failure, clock.now())

    expect((await watchRun([finished], { before })).checkedAt).toEqual([20_000])
  })

  it('makes no check if an end is proved, or if its time is over', async () => {
    const ended = (run: ScriptedRun) => afterAnswer(nothingSeen, record(finished), run.clock.now())

    expect((await watchRun([401], { before: ended })).events).toEqual([])
    expect((await watchRun([401], { before: answered, timeout: 0 })).events).toEqual([])
  })
})
