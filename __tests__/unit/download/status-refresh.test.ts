import { describe, expect, it } from '@jest/globals'
import { NoFreshLinkError, StatusRefresh } from '../../../src/download/status-refresh.ts'
import { messageOf } from '../../../src/errors.ts'
import { NotSentError } from '../../../src/service/errors.ts'
import { finished } from '../../support/execution-status.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { connectionReset, httpError } from '../../support/failures.ts'
import { rejectionOf } from '../../support/rejection.ts'

const hour = 3_600_000

/** A service whose checks first fail with these errors, and then succeed. */
function failing(failures: Error[], { timeLeft = hour, latency = 0 } = {}) {
  const clock = new SimulatedClock()
  const askedAt: number[] = []
  const check = async (signal: AbortSignal) => {
    askedAt.push(clock.elapsed)
    const failure = failures[askedAt.length - 1]
    await clock.sleep(latency, signal)
    if (failure) throw failure
    return finished
  }
  const refresh = new StatusRefresh({
    check,
    clock,
    deadline: clock.now() + timeLeft,
    cancelled: neverAborts,
  })
  return { refresh, clock, askedAt }
}

const forever = (failure: Error) => Array<Error>(1_000).fill(failure)

describe('a fresh record', () => {
  it('is requested with growing pauses in an outage of less than a minute', async () => {
    const { refresh, askedAt } = failing(Array<Error>(6).fill(connectionReset()))

    expect(await refresh.fresh(neverAborts)).toBe(finished)
    expect(askedAt).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500])
  })

  it('is requested a last time after a minute', async () => {
    const down = httpError(503, { words: 'maintenance' })
    const { refresh, askedAt } = failing(forever(down))

    expect(await rejectionOf(refresh.fresh(neverAborts))).toEqual(
      new NoFreshLinkError('no new link could be fetched: the service answered 503: maintenance'),
    )
    expect(askedAt.at(-1)).toBe(60_000)
  })

  it('is requested when Retry-After says, even after more than a minute', async () => {
    const { refresh, askedAt } = failing([
      httpError(429, { retryAfter: 10_000 }),
      httpError(503, { retryAfter: 90_000 }),
    ])

    expect(await refresh.fresh(neverAborts)).toBe(finished)
    expect(askedAt).toEqual([0, 10_000, 100_000])
  })

  it('is not requested more often because of a shorter Retry-After, nor after a minute', async () => {
    const { refresh, askedAt } = failing(forever(httpError(503, { retryAfter: 1_000 })))
    await rejectionOf(refresh.fresh(neverAborts))

    expect(askedAt).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000])
  })

  it('may take a minute again after each record', async () => {
    const { refresh, clock } = failing(Array<Error>(6).fill(connectionReset()))
    await refresh.fresh(neverAborts)

    expect(await refresh.fresh(neverAborts)).toBe(finished)
    expect(clock.elapsed).toBe(31_500)
  })

  it('is shared by all callers that ask at once, or in a pause', async () => {
    const failures = [httpError(429, { retryAfter: 10_000 })]
    const { refresh, clock, askedAt } = failing(failures, { latency: 100 })
    const later = clock.sleep(5_000).then(() => refresh.fresh(neverAborts))

    await Promise.all([refresh.fresh(neverAborts), refresh.fresh(neverAborts), later])

    expect(askedAt).toEqual([0, 10_100])
  })
})

describe('a fresh record is given up at once', () => {
  it.each([401, 403])('after %d', async (status) => {
    const { refresh, askedAt } = failing(forever(httpError(status)))

    const rejection = await rejectionOf(refresh.fresh(neverAborts))
    expect(rejection).toMatchObject({ name: 'NoFreshLinkError', cause: { status } })
    expect(askedAt).toEqual([0])
  })

  it('when the check fails because there is no link', async () => {
    const { refresh, askedAt } = failing(forever(new NoFreshLinkError('nobody keeps it')))

    expect(await rejectionOf(refresh.fresh(neverAborts))).toMatchObject({
      name: 'NoFreshLinkError',
      message: 'no new link could be fetched: nobody keeps it',
    })
    expect(askedAt).toEqual([0])
  })

  it('when Retry-After asks for more time than the step has', async () => {
    const { refresh, askedAt } = failing(forever(httpError(429, { retryAfter: 20_000 })), {
      timeLeft: 10_000,
    })

    expect(await rejectionOf(refresh.fresh(neverAborts))).toBeInstanceOf(NoFreshLinkError)
    expect(askedAt).toEqual([0])
  })

  it('when Retry-After asked another caller for more time than the step has', async () => {
    const failures = [httpError(429, { retryAfter: 20_000 })]
    const { refresh, clock, askedAt } = failing(failures, { timeLeft: 10_000 })
    await rejectionOf(refresh.fresh(neverAborts))

    expect(await rejectionOf(refresh.fresh(neverAborts))).toBeInstanceOf(NoFreshLinkError)
    expect([askedAt, clock.elapsed]).toEqual([[0], 0])
  })

  it('but not after the moment that Retry-After named, for a download that is still running', async () => {
    const failures = [httpError(429, { retryAfter: 20_000 })]
    const { refresh, clock, askedAt } = failing(failures, { timeLeft: 10_000 })
    await rejectionOf(refresh.fresh(neverAborts))
    await clock.advance(20_000)

    expect(await refresh.fresh(neverAborts)).toBe(finished)
    expect(askedAt).toEqual([0, 20_000])
  })

  it('but not when Retry-After asks for exactly the step’s remaining time', async () => {
    const failures = [httpError(429, { retryAfter: 10_000 })]
    const { refresh, askedAt } = failing(failures, { timeLeft: 10_000 })

    expect(await refresh.fresh(neverAborts)).toBe(finished)
    expect(askedAt).toEqual([0, 10_000])
  })

  it('but not after an outage without Retry-After, even if the step’s time has run out', async () => {
    const { refresh, askedAt } = failing([connectionReset()], { timeLeft: 0 })

    expect(await refresh.fresh(neverAborts)).toBe(finished)
    expect(askedAt).toEqual([0, 500])
  })

  it.each([
    { timeLeft: 0, lasts: 60_000 },
    { timeLeft: hour, lasts: hour },
  ])('after $lasts ms without permission for a check, with $timeLeft ms left', async (given) => {
    const clock = new SimulatedClock()
    const check = async (signal: AbortSignal) => {
      await clock.sleep(Infinity, signal).catch((reason: unknown) => {
        throw new NotSentError(messageOf(reason))
      })
      return finished
    }
    const refresh = new StatusRefresh({
      check,
      clock,
      deadline: clock.now() + given.timeLeft,
      cancelled: neverAborts,
    })

    expect(await rejectionOf(refresh.fresh(neverAborts))).toEqual(
      new NoFreshLinkError('no new link could be fetched: time ran out'),
    )
    expect([clock.elapsed, clock.sleeping]).toEqual([given.lasts, 0])
  })

  it('by the caller whose signal aborts, and by no other', async () => {
    const { refresh, clock } = failing(Array<Error>(6).fill(connectionReset()))
    const one = new AbortController()
    void clock.sleep(1_000).then(() => one.abort(new Error('cut')))
    const ended = await Promise.allSettled([refresh.fresh(one.signal), refresh.fresh(neverAborts)])

    expect(ended).toEqual([
      { status: 'rejected', reason: new Error('cut') },
      { status: 'fulfilled', value: finished },
    ])
    expect(clock.sleeping).toBe(0)
  })

  it('with the reason of a signal that has aborted', async () => {
    const { refresh, askedAt } = failing([])
    const reason = new Error('cut')

    expect(await rejectionOf(refresh.fresh(AbortSignal.abort(reason)))).toBe(reason)
    expect(askedAt).toEqual([])
  })
})
