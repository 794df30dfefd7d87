import { describe, expect, it } from '@jest/globals'
import { Deadline, TimeUp } from '../../../src/clock.ts'
import { sendAtMostOnce, type RetryContext } from '../../../src/service/send-at-most-once.ts'
import { NetworkError, NotSentError } from '../../../src/service/service-errors.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'
import { SeededRandom } from '../../../sandbox/simulation/seeded-random.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'

const unconnected = connectionRefused()
const reset = connectionReset()
const busy = httpError(429)
const noTurn = new NotSentError('its turn did not come')
const refused = httpError(401, { isProven: true })
const asking = (seconds: number) => httpError(429, { retryAfter: seconds * 1_000 })

type Given = Partial<RetryContext> & { clock?: SimulatedClock; act?: () => unknown }

/**
 * Sends a call. `script` has what the service answers to each try, an error or an id, and `act` may
 * do something else at a try. The last answer repeats. All times are in seconds.
 */
async function sendTo(
  script: unknown[],
  { act, clock = new SimulatedClock(), ...given }: Given = {},
) {
  const triedAt: number[] = []
  const pauses: number[] = []
  const send = async () => {
    triedAt.push(clock.elapsed / 1_000)
    await act?.()
    const answer = script[Math.min(triedAt.length, script.length) - 1]
    if (answer instanceof Error) throw answer
    return answer
  }
  const outcome = await sendAtMostOnce(send, {
    clock,
    until: neverAborts,
    random: () => 1,
    onPause: (_failure, pause) => pauses.push(pause / 1_000),
    ...given,
  })
  return { outcome, triedAt, pauses }
}

describe('a call that must not happen twice', () => {
  it.each<[string, unknown[], object, number[]]>([
    [
      'again as long as it cannot have been accepted',
      [unconnected, busy, httpError(503, { retryAfter: 2_000 }), 'e-1'],
      { kind: 'accepted', value: 'e-1' },
      [0, 1, 3, 7],
    ],
    ['once before a reset', [reset, 'e-2'], { kind: 'unclear', failure: reset }, [0]],
    ['once before a 403', [httpError(403), 'e-2'], { kind: 'refused' }, [0]],
    [
      'once before a bug of the action',
      [new TypeError('x is undefined'), 'e-2'],
      { kind: 'unclear' },
      [0],
    ],
    [
      'once before a turn that does not come',
      [noTurn, 'e-2'],
      { kind: 'not-sent', failure: noTurn, byCancel: false },
      [0],
    ],
    [
      'again, until a try is unclear',
      [unconnected, reset],
      { kind: 'unclear', failure: reset, byCancel: false },
      [0, 1],
    ],
    [
      'again, until the turn of a try does not come',
      [busy, noTurn],
      { kind: 'not-sent', failure: busy, byCancel: false },
      [0, 1],
    ],
    [
      'again after refused credentials that were accepted before',
      [refused, refused, 'e-1'],
      { kind: 'accepted', value: 'e-1' },
      [0, 1, 3],
    ],
    ['for 30 s with such credentials', [refused], { kind: 'refused' }, [0, 1, 3, 7, 15, 30]],
    [
      'for 30 s more after any other answer',
      [...Array<Error>(5).fill(refused), unconnected, refused],
      { kind: 'refused' },
      [0, 1, 3, 7, 15, 30, 45, 60, 75],
    ],
    [
      'once if Retry-After with such a refusal points past the 120 s',
      [httpError(403, { isProven: true, retryAfter: 120_000 })],
      { kind: 'refused' },
      [0],
    ],
    [
      'for 120 s, with pauses that double up to 15 s',
      [unconnected],
      { kind: 'not-sent', failure: unconnected, byCancel: false },
      [0, 1, 3, 7, 15, 30, 45, 60, 75, 90, 105],
    ],
    [
      'as often as Retry-After allows within 120 s',
      [asking(50)],
      { kind: 'not-sent', byCancel: false },
      [0, 50, 100],
    ],
    ['once if Retry-After points past the 120 s', [asking(120)], { kind: 'not-sent' }, [0]],
  ])('is sent %s', async (_, script, outcome, triedAt) => {
    const sent = await sendTo(script)

    expect(sent.outcome).toMatchObject(outcome)
    expect(sent.triedAt).toEqual(triedAt)
    // Each pause is announced before it begins.
    const pauses = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0))
    expect(sent.pauses).toEqual(pauses)
  })

  it('is sent as long as the caller wants', async () => {
    const clock = new SimulatedClock()
    const { signal } = new Deadline(clock, 3_600_000)
    const { triedAt } = await sendTo([unconnected], { clock, until: signal, maxTime: Infinity })

    expect([triedAt.at(-1), clock.elapsed]).toEqual([3_585, 3_600_000])
  })

  it.each([
    ['are spread by jitter over the second half', [unconnected], [1, 1, 2, 4, 7.5]],
    ['last as long as Retry-After says, without jitter', [asking(9), 'e-1'], [9]],
    ['grow from a second if Retry-After is 0', [asking(0)], [1, 1, 2, 4]],
  ])('has pauses that %s', async (_, script, pauses) => {
    const sent = await sendTo(script, { random: () => 0 })

    expect(sent.pauses.slice(0, pauses.length)).toEqual(pauses)
  })
})

it('50 jobs of a matrix all start, if the service accepts one start a second', async () => {
  const clock = new SimulatedClock()
  const numbers = new SeededRandom(1)
  let acceptedAt = -Infinity
  const send = async () => {
    await clock.sleep(numbers.between(20, 80))
    if (clock.now() - acceptedAt < 1_000) throw asking(1)
    acceptedAt = clock.now()
  }
  const random = () => numbers.number()
  const context = { clock, until: neverAborts, random, onPause: () => undefined }
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => sendAtMostOnce(send, context)),
  )

  expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([])
})

describe('a signal', () => {
  const reason = new Error('cancelled')

  it('before the first try: nothing is sent', async () => {
    const { outcome, triedAt } = await sendTo(['e-1'], { until: AbortSignal.abort(reason) })

    expect(outcome).toEqual({ kind: 'not-sent', failure: reason, byCancel: true })
    expect(triedAt).toEqual([])
  })

  it('between two tries: nothing was sent, and this is known at once', async () => {
    const clock = new SimulatedClock()
    const { signal } = new Deadline(clock, 10_000)
    const failure = asking(30)
    const { outcome, triedAt } = await sendTo([failure, 'e-1'], { clock, until: signal })

    expect(outcome).toEqual({ kind: 'not-sent', failure, byCancel: false })
    expect([triedAt, clock.elapsed]).toEqual([[0], 10_000])
  })

  const cut = new NetworkError('cut', { mayHaveArrived: true, cause: reason })
  const other = connectionRefused()
  it.each<[string, Error[], object]>([
    ['that cut a try: it is the reason of the unclear outcome', [cut], { kind: 'unclear' }],
    [
      'at an unclear answer: it is not the reason',
      [httpError(500)],
      { kind: 'unclear', byCancel: false },
    ],
    ['at a try that was not connected', [other], { kind: 'not-sent', failure: other }],
    [
      'at a later try: the earlier failure is reported',
      [busy, other],
      { kind: 'not-sent', failure: busy },
    ],
  ])('%s', async (_, script, outcome) => {
    const cancellation = new AbortController()
    let tries = 0
    const act = () => {
      tries += 1
      if (tries === script.length) cancellation.abort(reason)
    }
    const sent = await sendTo(script, { until: cancellation.signal, act })

    expect(sent.outcome).toMatchObject({ byCancel: true, ...outcome })
    expect(sent.pauses).toHaveLength(script.length - 1)
  })

  it('ends a try 3.5 s after the deadline, and not after the 120 s of all tries', async () => {
    const clock = new SimulatedClock()
    const signal = () => new Deadline(clock, 200_000).signal
    const answering = (span: number) => (own: AbortSignal) => clock.sleep(span, own)
    const last = { clock, until: signal(), random: () => 0, onPause: () => undefined }
    expect((await sendAtMostOnce(answering(203_499), last)).kind).toBe('accepted')

    const tooLate = { ...last, until: signal() }
    const outcome = await sendAtMostOnce(answering(203_501), tooLate)

    expect(outcome).toMatchObject({ kind: 'unclear', failure: expect.any(TimeUp), byCancel: false })
    expect([clock.elapsed, clock.sleeping]).toEqual([406_999, 0])
  })

  it('ends a try at once as long as it has no connection', async () => {
    const clock = new SimulatedClock()
    const { signal } = new Deadline(clock, 10_000)
    const outcome = await sendAtMostOnce(
      (_own, untilConnected) =>
        clock.sleep(Infinity, untilConnected).catch(() => Promise.reject(unconnected)),
      { clock, until: signal, random: () => 1, onPause: () => undefined },
    )

    expect([outcome.kind, clock.elapsed]).toEqual(['not-sent', 10_000])
  })
})
