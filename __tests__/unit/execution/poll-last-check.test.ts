import { describe, expect, it } from '@jest/globals'
import { finished, record, running } from '../../support/execution-status.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { connectionReset, httpError } from '../../support/failures.ts'
import { watchRun, type Check } from '../../support/watch-run.ts'

describe('the last check, when the time has run out,', () => {
  const failure = connectionReset()
  const flagged = record({ error: true })
  const timedOut = { kind: 'timed-out', status: running }

  it.each<[string, Check, object]>([
    ['a run that ended in the last pause', finished, { outcome: 'success', status: finished }],
    ['a run that has failed, finished or not', flagged, { outcome: 'error', status: flagged }],
    ['a run that is still running', running, { ...timedOut, failedChecks: 0 }],
    ['nothing, when it fails', failure, { ...timedOut, failure, failedChecks: 1 }],
  ])('is sent once, and sees %s', async (_, check, expected) => {
    const { ending, checkedAt } = await watchRun([running, check], { timeout: 4_000 })

    expect(ending).toEqual({ kind: 'finished', ...expected })
    expect(checkedAt).toEqual([0, 4_000])
  })

  it('is also sent if there was no time for a first check', async () => {
    const { ending, checkedAt } = await watchRun([finished], { timeout: 0 })

    expect(ending.kind).toBe('finished')
    expect(checkedAt).toEqual([0])
  })

  it('may take 2 s', async () => {
    const clock = new SimulatedClock()
    const slowly = (span: number) => (signal: AbortSignal) =>
      clock.sleep(span, signal).then(() => finished)
    const inTime = await watchRun([running, slowly(1_999)], { clock, timeout: 4_000 })
    const late = await watchRun([running, slowly(2_001)], { clock, timeout: 4_000 })

    expect([inTime.ending.kind, late.ending.kind]).toEqual(['finished', 'timed-out'])
    expect(late.endedAt - inTime.endedAt).toBe(6_000)
  })

  it('ends with a cancellation', async () => {
    const clock = new SimulatedClock()
    const cancellation = new AbortController()
    const hang = (signal: AbortSignal) => clock.sleep(Infinity, signal).then(() => finished)
    void clock.sleep(5_000).then(() => cancellation.abort(new Error('cancelled')))
    const circumstances = { clock, timeout: 4_000, cancelled: cancellation.signal }
    const { ending, endedAt } = await watchRun([running, hang], circumstances)

    expect(ending).toEqual({ kind: 'cancelled', status: running })
    expect([endedAt, clock.sleeping]).toEqual([5_000, 0])
  })
})

describe('no last check is sent', () => {
  it('while a Retry-After runs', async () => {
    const later = httpError(429, { retryAfter: 60_000 })
    const { ending, checkedAt, endedAt } = await watchRun([running, later], { timeout: 20_000 })

    expect(ending).toEqual({ kind: 'timed-out', status: running, failure: later, failedChecks: 1 })
    expect([checkedAt, endedAt]).toEqual([[0, 5_000], 20_000])
  })

  it('unless the Retry-After ends with the time', async () => {
    const later = httpError(429, { retryAfter: 15_000 })
    const { checkedAt } = await watchRun([running, later, finished], { timeout: 20_000 })

    expect(checkedAt).toEqual([0, 5_000, 20_000])
  })
})
