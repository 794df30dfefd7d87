import { describe, expect, it } from '@jest/globals'
import { MalformedAnswerError, NotSentError, RedirectError } from '../../../src/service/errors.ts'
import { finished, record, running } from '../../support/execution-status.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'
import { watchRun, type Check } from '../../support/watch-run.ts'

const times = (count: number, check: Check): Check[] => Array<Check>(count).fill(check)

describe('a watch continues through', () => {
  it.each([
    ['a reset', connectionReset()],
    ['a refused connection', connectionRefused()],
    ['500', httpError(500)],
    ['503', httpError(503)],
    ['429', httpError(429)],
    ['400', httpError(400)],
    ['a redirect', new RedirectError(302, '/login')],
    ['an answer of another kind', new MalformedAnswerError({ status: 200, headers: {} }, 'HTML')],
  ])('%s', async (_name, failure) => {
    const { ending } = await watchRun([running, failure, failure, finished])

    expect(ending).toMatchObject({ kind: 'finished', outcome: 'success' })
  })
})

describe('the checks', () => {
  it('become rarer as the run grows older', async () => {
    const { checkedAt, pauses } = await watchRun([running], { timeout: 3_600_000 })

    expect(checkedAt.slice(0, 3)).toEqual([0, 5_000, 10_000])
    expect(pauses.every((pause, index) => pause >= (pauses[index - 1] ?? 0))).toBe(true)
    expect([Math.min(...pauses), Math.max(...pauses)]).toEqual([5_000, 30_000])
    expect(checkedAt.length).toBeLessThan(220)
  })

  it('are counted from 1, and stop at the end', async () => {
    expect((await watchRun([running, running, finished])).counts).toEqual([1, 2, 3])
  })

  it('become rarer while they fail, until one succeeds', async () => {
    const script = [
      running,
      ...times(3, httpError(502)),
      running,
      httpError(502),
      running,
      finished,
    ]
    const { pauses } = await watchRun(script, { random: () => 1 })

    expect(pauses).toEqual([5_000, 5_000, 10_000, 20_000, 5_000, 5_000, 5_000])
  })

  it('are spread by jitter after failures, but never more frequent', async () => {
    const { pauses } = await watchRun([...times(4, httpError(502)), finished])

    expect(pauses).toEqual([5_000, 5_000, 10_000, 20_000])
  })

  it.each([429, 404])('are sent when Retry-After says, after %d', async (status) => {
    const { checkedAt } = await watchRun([httpError(status, { retryAfter: 47_000 }), finished])

    expect(checkedAt).toEqual([0, 47_000])
  })

  it.each([0, 1_000])('are not more frequent after a Retry-After of %d ms', async (asked) => {
    const early = httpError(429, { retryAfter: asked })
    const options = { pollInterval: 300_000 }
    const { checkedAt } = await watchRun([early, early, finished], options)

    expect(checkedAt).toEqual([0, 300_000, 600_000])
  })

  it('end with the deadline, however long Retry-After is', async () => {
    const endless = httpError(503, { retryAfter: 10 ** 12 })
    const { ending, endedAt } = await watchRun([endless], { timeout: 90_000 })

    expect(ending).toMatchObject({ kind: 'timed-out', status: undefined, failure: endless })
    expect(endedAt).toBe(90_000)
  })

  it('that were not sent change nothing, neither for the service nor for the run', async () => {
    const notSent = new NotSentError('its turn did not come')
    const { ending, counts, checkedAt } = await watchRun([running, notSent], { timeout: 12_000 })

    expect(ending).toEqual({ kind: 'timed-out', status: running, failedChecks: 0 })
    expect([counts, checkedAt]).toEqual([[1], [0, 5_000, 10_000, 12_000]])
  })

  it('include one at the end of the 30 s that a failed run has to finish', async () => {
    const options = { pollInterval: 20_000 }
    const { checkedAt } = await watchRun([running, record({ error: true })], options)

    expect(checkedAt).toEqual([0, 20_000, 40_000, 50_000])
  })
})
