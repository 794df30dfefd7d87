import { describe, expect, it } from '@jest/globals'
import { RedirectError } from '../../../src/service/errors.ts'
import { finished, running } from '../../support/execution-status.ts'
import { connectionReset, httpError } from '../../support/failures.ts'
import { watchRun } from '../../support/watch-run.ts'

const minutes = 60_000

describe('a watch is given up', () => {
  it.each([400, 405, 410, 422])('after 5 minutes of only %d, with its words', async (status) => {
    const failure = httpError(status, { words: 'no UUID' })
    const { ending, endedAt } = await watchRun([running, failure])

    expect(ending).toEqual({ kind: 'rejected', status: running, failure })
    expect(endedAt).toBe(5_000 + 5 * minutes)
  })

  it('even if resets and other failures come between', async () => {
    const [no, reset, down] = [httpError(400), connectionReset(), httpError(502)]
    const script = Array.from({ length: 20 }, () => [no, reset, down]).flat()
    const { ending, endedAt } = await watchRun([...script, no])

    expect(ending.kind).toBe('rejected')
    expect(endedAt).toBeGreaterThanOrEqual(5 * minutes)
    expect(endedAt).toBeLessThan(9 * minutes)
  })
})

describe('the five minutes', () => {
  it('begin again after a different refusal', async () => {
    const of = (status: number, times: number) => Array<Error>(times).fill(httpError(status))
    const first = await watchRun([httpError(400)])
    const { ending, endedAt, checkedAt } = await watchRun([...of(400, 4), httpError(422)])

    expect(first.endedAt).toBe(5 * minutes)
    expect(ending).toMatchObject({ kind: 'rejected', failure: { status: 422 } })
    expect(endedAt).toBe((checkedAt[4] ?? 0) + 5 * minutes)
  })
})

describe('a watch continues', () => {
  const until = { timeout: 30 * minutes }

  it.each([
    ...[408, 409, 413, 429, 500].map((status) => httpError(status)),
    // The redirect may be due to maintenance.
    new RedirectError(302, '/maintenance'),
  ])('through 5 minutes of $status', async (failure) => {
    const script = [...Array<Error>(12).fill(failure), finished]

    expect((await watchRun(script, until)).ending.kind).toBe('finished')
  })

  it('when a proper answer comes between', async () => {
    const no = Array<Error>(7).fill(httpError(400))
    const { ending, checkedAt } = await watchRun([...no, running, ...no, finished], until)

    expect(ending.kind).toBe('finished')
    expect(checkedAt.at(-1)).toBeGreaterThan(5 * minutes)
  })

  it('while the last check failed otherwise', async () => {
    const { ending, endedAt } = await watchRun([httpError(400), httpError(502)], until)

    expect([ending.kind, endedAt]).toEqual(['timed-out', 30 * minutes])
  })

  it('without a check more often than a failing service gets', async () => {
    const { checkedAt } = await watchRun([httpError(400), connectionReset()], until)
    const gaps = checkedAt.slice(1).map((at, index) => at - (checkedAt[index] ?? 0))

    expect(Math.min(...gaps)).toBeGreaterThan(1_000)
  })
})
