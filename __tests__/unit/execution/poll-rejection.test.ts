import { describe, expect, it } from '@jest/globals'
import { RedirectError } from '../../../src/service/errors.ts'
import { finished, running } from '../../support/execution-status.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import { connectionReset, httpError } from '../../support/failures.ts'
import { watchRun } from '../../support/watch-run.ts'

const minutes = 60_000

describe('a watch is given up', () => {
  it.each([
    ...[400, 405, 410, 422].map((status) => httpError(status, { words: 'no UUID' })),
    // A firewall or a gateway may send these web pages.
    ...[400, 401, 403, 404].map((status) => httpError(status, { isWebPage: true })),
  ])('after 5 minutes of nothing but: $message', async (failure) => {
    const { ending, endedAt } = await watchRun([running, failure])

    expect(ending).toEqual({ kind: 'rejected', status: running, failure })
    expect(endedAt).toBe(5_000 + 5 * minutes)
  })
})

describe('the five minutes begin anew after', () => {
  const page = (status: number) => httpError(status, { isWebPage: true })

  it.each<[string, Error, ExecutionStatus | Error]>([
    ['a proper answer', httpError(400), running],
    ['a reset', httpError(400), connectionReset()],
    ['another error', httpError(400), httpError(502)],
    ['another refusal', httpError(400), httpError(422)],
    ['a web page with another status', page(403), page(404)],
    ['a web page with the same status', httpError(400), page(400)],
  ])('%s', async (_, no, other) => {
    const { ending, endedAt, checkedAt } = await watchRun([no, no, no, no, other, no])

    expect(ending.kind).toBe('rejected')
    expect(endedAt).toBe((checkedAt[5] ?? NaN) + 5 * minutes)
  })
})

describe('a Retry-After during the five minutes', () => {
  const ask = (retryAfter: number) => httpError(400, { retryAfter })

  it('that ends before them does not delay the check at their end', async () => {
    const { checkedAt } = await watchRun([httpError(400), ask(1_000)], { pollInterval: 240_000 })

    expect(checkedAt).toEqual([0, 240_000, 300_000])
  })

  it('that ends after them delays this check', async () => {
    const { checkedAt, endedAt } = await watchRun([httpError(400), ask(400_000)])

    expect([checkedAt, endedAt]).toEqual([[0, 5_000, 405_000], 405_000])
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
    const no = Array<Error>(8).fill(httpError(400))
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
