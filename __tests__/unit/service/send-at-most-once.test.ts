import { describe, expect, it } from '@jest/globals'
import { Deadline, TimeUp } from '../../../src/clock.ts'
import { sendAtMostOnce, type RetryContext } from '../../../src/service/send-at-most-once.ts'
import { NetworkError, NotSentError } from '../../../src/service/service-errors.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'
import { SeededRandom } from '../../../sandbox/simulation/seeded-random.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'

const throwUnconnected = () => {
  throw connectionRefused()
}

const cutBy = (cause: unknown) => new NetworkError('cut', { mayHaveArrived: true, cause })

/** Sends a call. `script`: what the service does at each try. The last function repeats. */
async function sendTo(
  script: (() => unknown)[],
  given: Partial<RetryContext> & { clock?: SimulatedClock } = {},
) {
  const { clock = new SimulatedClock() } = given
  const triedAt: number[] = []
  const pauses: number[] = []
  const send = async () => {
    triedAt.push(clock.elapsed)
    const act = script[Math.min(triedAt.length, script.length) - 1]
    const answer = await Promise.resolve(act?.())
    if (answer instanceof Error) throw answer
    return answer
  }
  const outcome = await sendAtMostOnce(send, {
    until: neverAborts,
    random: () => 1,
    onPause: (_failure, pause) => pauses.push(pause),
    ...given,
    clock,
  })
  return { outcome, triedAt, pauses, clock }
}

describe('a call that must not happen twice', () => {
  it('is sent again as long as it cannot have been accepted', async () => {
    const retryLater = () => httpError(503, { retryAfter: 2_000 })
    const script = [connectionRefused, () => httpError(429), retryLater, () => 'e-1']

    const { outcome, triedAt } = await sendTo(script)

    expect(outcome).toEqual({ kind: 'accepted', value: 'e-1' })
    expect(triedAt).toEqual([0, 1_000, 3_000, 7_000])
  })

  it.each([
    ['a reset', 'unclear', connectionReset()],
    ['a bug of the action', 'unclear', new TypeError('x is undefined')],
    ['a 403', 'refused', httpError(403)],
    ['a turn that did not come', 'not-sent', new NotSentError('its turn did not come')],
  ])('is not sent again after %s: %s', async (_name, kind, failure) => {
    const { outcome, triedAt } = await sendTo([() => failure, () => 'e-2'])

    expect(outcome).toMatchObject({ kind, failure })
    expect(triedAt).toEqual([0])
  })

  it('is unclear if the outcome of a later try is unclear', async () => {
    const failure = connectionReset()
    const { outcome, triedAt } = await sendTo([connectionRefused, () => failure])

    expect(outcome).toEqual({ kind: 'unclear', failure, byCancel: false })
    expect(triedAt).toEqual([0, 1_000])
  })
})

describe('credentials that were accepted before, and are refused now', () => {
  const refused = () => httpError(401, { isProven: true })

  it('are sent again, because a service under load may refuse once', async () => {
    const { outcome, triedAt } = await sendTo([refused, refused, () => 'e-1'])

    expect(outcome).toEqual({ kind: 'accepted', value: 'e-1' })
    expect(triedAt).toEqual([0, 1_000, 3_000])
  })

  it('are refused for good after 30 s of refusals', async () => {
    const { outcome, triedAt } = await sendTo([refused])

    expect(outcome.kind).toBe('refused')
    expect(triedAt).toEqual([0, 1_000, 3_000, 7_000, 15_000, 30_000])
  })

  it('get 30 s more after any other answer', async () => {
    const script = [...Array<() => Error>(5).fill(refused), connectionRefused, refused]
    const { outcome, triedAt } = await sendTo(script)

    expect(outcome.kind).toBe('refused')
    expect(triedAt.slice(4)).toEqual([15_000, 30_000, 45_000, 60_000, 75_000])
  })

  it('are refused at once if Retry-After points past the 120 s', async () => {
    const failure = httpError(403, { isProven: true, retryAfter: 120_000 })
    const { outcome, triedAt } = await sendTo([() => failure])

    expect([outcome, triedAt]).toEqual([{ kind: 'refused', failure }, [0]])
  })
})

describe('the tries', () => {
  it('are made for 120 s, with pauses that double up to 15 s', async () => {
    const { outcome, triedAt, pauses, clock } = await sendTo([connectionRefused])

    expect(outcome).toMatchObject({ kind: 'not-sent', byCancel: false })
    expect(pauses.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
    expect(triedAt).toHaveLength(11)
    expect(triedAt.at(-1)).toBe(105_000)
    expect(clock.sleeping).toBe(0)
  })

  it('are made as long as the caller wants', async () => {
    const clock = new SimulatedClock()
    const { signal } = new Deadline(clock, 3_600_000)
    const { triedAt } = await sendTo([connectionRefused], {
      clock,
      until: signal,
      maxTime: Infinity,
    })

    expect([triedAt.at(-1), clock.elapsed]).toEqual([3_600_000 - 15_000, 3_600_000])
  })

  it('are spread by jitter over the second half of a pause', async () => {
    const { triedAt } = await sendTo([connectionRefused], { random: () => 0 })

    expect(triedAt.slice(0, 6)).toEqual([0, 1_000, 2_000, 4_000, 8_000, 15_500])
  })

  it('are sent when Retry-After says, without jitter', async () => {
    const script = [() => httpError(429, { retryAfter: 9_000 }), () => 'e-1']

    expect((await sendTo(script, { random: () => 0 })).triedAt).toEqual([0, 9_000])
  })

  it('have growing pauses of at least a second if Retry-After is 0', async () => {
    const { pauses } = await sendTo([() => httpError(429, { retryAfter: 0 })], { random: () => 0 })

    expect(pauses.slice(0, 4)).toEqual([1_000, 1_000, 2_000, 4_000])
  })

  it('begin within 120 s of the first', async () => {
    const { triedAt, outcome } = await sendTo([() => httpError(429, { retryAfter: 50_000 })])

    expect(outcome).toMatchObject({ kind: 'not-sent', byCancel: false })
    expect(triedAt).toEqual([0, 50_000, 100_000])
  })

  it('end at once when Retry-After points past the 120 s', async () => {
    const { triedAt, pauses, clock } = await sendTo([() => httpError(429, { retryAfter: 120_000 })])

    expect([triedAt, pauses, clock.elapsed]).toEqual([[0], [], 0])
  })
})

it('50 jobs of a matrix all start, if the service accepts one start a second', async () => {
  const clock = new SimulatedClock()
  const numbers = new SeededRandom(1)
  let acceptedAt = -Infinity
  const send = async () => {
    await clock.sleep(numbers.between(20, 80))
    if (clock.now() - acceptedAt < 1_000) throw httpError(429, { retryAfter: 1_000 })
    acceptedAt = clock.now()
  }
  const context = { clock, until: neverAborts, random: () => numbers.number() }
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => sendAtMostOnce(send, context)),
  )

  expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([])
})

describe('a signal', () => {
  it('before the first try: nothing is sent', async () => {
    const reason = new Error('cancelled')
    const { outcome, triedAt } = await sendTo([() => 'e-1'], {
      until: AbortSignal.abort(reason),
    })

    expect(outcome).toEqual({ kind: 'not-sent', failure: reason, byCancel: true })
    expect(triedAt).toEqual([])
  })

  it('between two tries: nothing was sent, and this is known at once', async () => {
    const clock = new SimulatedClock()
    const failure = httpError(429, { retryAfter: 30_000 })
    const signal = new Deadline(clock, 10_000).signal

    const { outcome, triedAt } = await sendTo([() => failure, () => 'e-1'], {
      clock,
      until: signal,
    })

    expect(outcome).toEqual({ kind: 'not-sent', failure, byCancel: false })
    expect([triedAt, clock.elapsed]).toEqual([[0], 10_000])
  })

  it('during a try that was connected: the outcome is unclear', async () => {
    const clock = new SimulatedClock()
    const { signal } = new Deadline(clock, 10_000)
    const stalled = () => clock.sleep(Infinity, signal).catch(connectionReset)

    const { outcome, triedAt } = await sendTo([stalled], { clock, until: signal })

    expect(outcome.kind).toBe('unclear')
    expect([triedAt.length, clock.elapsed]).toEqual([1, 10_000])
  })

  it('during a try that never connected ends it at once: nothing was sent, and no retry is announced', async () => {
    const clock = new SimulatedClock()
    const { signal } = new Deadline(clock, 10_000)
    const pauses: number[] = []
    const outcome = await sendAtMostOnce(
      (_own, untilConnected) => clock.sleep(Infinity, untilConnected).catch(throwUnconnected),
      { clock, until: signal, random: () => 1, onPause: (_, pause) => pauses.push(pause) },
    )

    expect([outcome.kind, clock.elapsed, pauses]).toEqual(['not-sent', 10_000, []])
  })

  it('that ends a later try: the earlier failure is reported', async () => {
    const cancellation = new AbortController()
    const refused = connectionRefused()
    const cut = () => {
      cancellation.abort()
      return connectionRefused()
    }

    const { outcome } = await sendTo([() => refused, cut], { until: cancellation.signal })

    expect(outcome).toEqual({ kind: 'not-sent', failure: refused, byCancel: true })
  })

  it.each<[string, boolean, (reason: unknown) => Error]>([
    ['the cancellation, if it cut the try', true, (cause) => cutBy(cause)],
    ['the answer, if one arrived in spite of a cancellation', false, () => httpError(500)],
  ])('is the reason of an unclear outcome, or not: %s', async (_, byCancel, failure) => {
    const cancellation = new AbortController()
    const { signal } = cancellation
    const answer = () => {
      cancellation.abort(new Error('cancelled'))
      return failure(signal.reason)
    }

    expect((await sendTo([answer], { until: signal })).outcome).toMatchObject({
      kind: 'unclear',
      byCancel,
    })
  })

  it('ends a try 3.5 s after the deadline, and not after the 120 s of all tries', async () => {
    const clock = new SimulatedClock()
    const signal = () => new Deadline(clock, 200_000).signal
    const answering = (span: number) => (own: AbortSignal) => clock.sleep(span, own)
    const last = { clock, until: signal(), random: () => 0 }
    expect((await sendAtMostOnce(answering(203_499), last)).kind).toBe('accepted')

    const tooLate = { ...last, until: signal() }
    const outcome = await sendAtMostOnce(answering(203_501), tooLate)

    expect(outcome).toMatchObject({ kind: 'unclear', failure: expect.any(TimeUp), byCancel: false })
    expect([clock.elapsed, clock.sleeping]).toEqual([406_999, 0])
  })
})
