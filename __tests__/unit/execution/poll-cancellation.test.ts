import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { NetworkError } from '../../../src/service/errors.ts'
import { finished, record, running } from '../../support/execution-status.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { connectionReset, httpError } from '../../support/failures.ts'
import { watchRun, type Check } from '../../support/watch-run.ts'

/** Returns a check that takes three seconds, and fails when its signal aborts. */
function slow(clock: SimulatedClock, check: Check): Check {
  return async (signal) => {
    await clock.sleep(3_000, signal).catch(() => {
      throw new NetworkError('cut', { mayHaveArrived: true })
    })
    if (check instanceof Error || typeof check === 'function') throw check as Error
    return check
  }
}

/** Watches a run, and cancels the watch after `moment` milliseconds. */
async function cancelAt(moment: number, checks: Check[]) {
  const clock = new SimulatedClock()
  const cancellation = new AbortController()
  const cancelling = clock.sleep(moment).then(() => cancellation.abort(new Error('cancelled')))
  const slowChecks = checks.map((check) => slow(clock, check))
  const watched = await watchRun(slowChecks, { clock, cancelled: cancellation.signal })
  await cancelling
  return watched
}

describe('a cancellation ends the watch at once', () => {
  it.each([
    ['before anything was seen', 1_000, undefined],
    ['in a pause', 4_000, running],
    ['during a later check', 10_000, running],
  ])('%s', async (_when, moment, status) => {
    const { ending, endedAt } = await cancelAt(moment, [running])

    expect(ending).toEqual({ kind: 'cancelled', status })
    expect(endedAt).toBe(moment)
  })

  it('while the service is in trouble', async () => {
    const failure = httpError(502)
    const { ending, endedAt } = await cancelAt(20_000, [running, failure])

    expect(ending).toEqual({ kind: 'cancelled', status: running, failure })
    expect(endedAt).toBe(20_000)
  })

  it('before the first check', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'))
    const { ending } = await watchRun([connectionReset()], { cancelled: signal })

    expect(ending).toEqual({ kind: 'cancelled', status: undefined })
  })

  it('even during the last check after waiting for a failed run', async () => {
    const { ending, endedAt } = await cancelAt(34_000, [record({ error: true })])

    expect(ending.kind).toBe('cancelled')
    expect(endedAt).toBe(34_000)
  })

  it('at whatever moment, unless the run had ended before', async () => {
    const moment = fc.integer({ min: 1, max: 60_000 })
    const checks = [running, running, httpError(502), running, finished]
    await fc.assert(
      fc.asyncProperty(moment, async (cancelledAt) => {
        const { ending, endedAt } = await cancelAt(cancelledAt, checks)
        if (ending.kind === 'finished') expect(endedAt).toBeLessThanOrEqual(cancelledAt)
        else expect([ending.kind, endedAt]).toEqual(['cancelled', cancelledAt])
      }),
    )
  })
})
