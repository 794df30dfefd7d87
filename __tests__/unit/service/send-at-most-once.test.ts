import { describe, expect, it } from '@jest/globals'
import { Deadline, TimeUp } from '../../../src/clock.ts'
import { sendAtMostOnce, type RetryContext } from '../../../src/service/send-at-most-once.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'

/** Sends a call. `script`: what the service does at each try. The last function repeats. */
async function sendTo(script: (() => unknown)[], given: Partial<RetryContext> = {}) {
  const clock = new SimulatedClock()
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
    clock,
    signal: neverAborts,
    random: () => 1,
    onPause: (_failure, pause) => pauses.push(pause),
    ...given,
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
    ['a reset', 'unknown', connectionReset()],
    ['a bug of the action', 'unknown', new TypeError('x is undefined')],
    ['a 403', 'refused', httpError(403)],
  ])('is not sent again after %s: %s', async (_name, kind, failure) => {
    const { outcome, triedAt } = await sendTo([() => failure, () => 'e-2'])

    expect(outcome).toEqual({ kind, failure })
    expect(triedAt).toEqual([0])
  })

  it('is unknown if the outcome of a later try is unknown', async () => {
    const failure = connectionReset()
    const { outcome, triedAt } = await sendTo([connectionRefused, () => failure])

    expect(outcome).toEqual({ kind: 'unknown', failure })
    expect(triedAt).toEqual([0, 1_000])
  })
})

describe('the tries', () => {
  it('are five, with pauses that double', async () => {
    const { outcome, triedAt, pauses, clock } = await sendTo([connectionRefused])

    expect(outcome.kind).toBe('refused')
    expect(triedAt).toEqual([0, 1_000, 3_000, 7_000, 15_000])
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(clock.sleeping).toBe(0)
  })

  it('are spread by jitter over the second half of a pause', async () => {
    const { triedAt } = await sendTo([connectionRefused], { random: () => 0 })

    expect(triedAt).toEqual([0, 1_000, 2_000, 4_000, 8_000])
  })

  it('are sent when Retry-After says, without jitter', async () => {
    const script = [() => httpError(429, { retryAfter: 9_000 }), () => 'e-1']

    expect((await sendTo(script, { random: () => 0 })).triedAt).toEqual([0, 9_000])
  })

  it('have growing pauses of at least a second if Retry-After is 0', async () => {
    const { pauses } = await sendTo([() => httpError(429, { retryAfter: 0 })], { random: () => 0 })

    expect(pauses).toEqual([1_000, 1_000, 2_000, 4_000])
  })

  it('begin within 60 s of the first', async () => {
    const { triedAt, outcome } = await sendTo([() => httpError(429, { retryAfter: 25_000 })])

    expect(outcome.kind).toBe('refused')
    expect(triedAt).toEqual([0, 25_000, 50_000])
  })

  it('end at once when Retry-After points past the 60 s', async () => {
    const { triedAt, pauses, clock } = await sendTo([() => httpError(429, { retryAfter: 60_000 })])

    expect([triedAt, pauses, clock.elapsed]).toEqual([[0], [], 0])
  })
})

describe('a signal', () => {
  it('before the first try: nothing is sent', async () => {
    const reason = new Error('cancelled')
    const { outcome, triedAt } = await sendTo([() => 'e-1'], {
      signal: AbortSignal.abort(reason),
    })

    expect(outcome).toEqual({ kind: 'refused', failure: reason })
    expect(triedAt).toEqual([])
  })

  it('between two tries: the outcome is refused, at once', async () => {
    const clock = new SimulatedClock()
    const failure = httpError(429, { retryAfter: 30_000 })
    const signal = new Deadline(clock, 10_000).signal

    const { outcome, triedAt } = await sendTo([() => failure, () => 'e-1'], { clock, signal })

    expect(outcome).toEqual({ kind: 'refused', failure })
    expect([triedAt, clock.elapsed]).toEqual([[0], 10_000])
  })

  it('during a try that was connected: the outcome is unknown', async () => {
    const clock = new SimulatedClock()
    const { signal } = new Deadline(clock, 10_000)
    const stalled = () => clock.sleep(Infinity, signal).catch(connectionReset)

    const { outcome, triedAt } = await sendTo([stalled], { clock, signal })

    expect(outcome.kind).toBe('unknown')
    expect([triedAt.length, clock.elapsed]).toEqual([1, 10_000])
  })

  it('during a try that never connected: the outcome is refused, and no retry is announced', async () => {
    const clock = new SimulatedClock()
    const { signal } = new Deadline(clock, 10_000)
    const connecting = () => clock.sleep(Infinity, signal).catch(connectionRefused)

    const { outcome, triedAt, pauses } = await sendTo([connecting], { clock, signal })

    expect(outcome.kind).toBe('refused')
    expect([triedAt.length, pauses]).toEqual([1, []])
  })

  it('that ends a later try: the earlier failure is reported', async () => {
    const cancellation = new AbortController()
    const refused = connectionRefused()
    const cut = () => {
      cancellation.abort()
      return connectionRefused()
    }

    const { outcome } = await sendTo([() => refused, cut], { signal: cancellation.signal })

    expect(outcome.kind === 'refused' && outcome.failure).toBe(refused)
  })

  it('ends a try 2 s after the deadline, and not after the 60 s of all tries', async () => {
    const clock = new SimulatedClock()
    const signal = () => new Deadline(clock, 100_000).signal
    const answering = (span: number) => (own: AbortSignal) => clock.sleep(span, own)
    const last = { clock, signal: signal(), random: () => 0 }
    expect((await sendAtMostOnce(answering(101_999), last)).kind).toBe('accepted')

    const tooLate = { ...last, signal: signal() }
    const outcome = await sendAtMostOnce(answering(102_001), tooLate)

    expect(outcome).toMatchObject({ kind: 'unknown', failure: expect.any(TimeUp) })
    expect([clock.elapsed, clock.sleeping]).toEqual([203_999, 0])
  })
})
