import { describe, expect, it } from '@jest/globals'
import { Deadline } from '../../../src/clock.ts'
import { FinalError, repeat } from '../../../src/download/retry.ts'
import { StoreStatusError } from '../../../src/download/store.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { connectionRefused, httpError } from '../../support/failures.ts'
import { rejectionOf } from '../../support/rejection.ts'

const hour = 3_600_000
const plain = new Error('plain')
const passing = httpError(503)

/** Repeats work that fails with each of these errors, and then succeeds. */
async function repeatFailing(
  failures: readonly Error[],
  { timeLeft = hour, cancelled = neverAborts } = {},
) {
  const clock = new SimulatedClock()
  using limit = new Deadline(clock, timeLeft, cancelled, 'too late')
  const triedAt: number[] = []
  const pauses: number[] = []
  const work = async () => {
    triedAt.push(clock.elapsed)
    await Promise.resolve()
    const failure = failures[triedAt.length - 1]
    if (failure) throw failure
    return 'done'
  }
  const repeated = repeat(work, { clock, random: () => 1, limit }, (_, pause) => pauses.push(pause))
  const ended = await repeated.catch((error: unknown) => error)
  return { ended, triedAt, pauses, clock }
}

const times = (count: number, failure: Error) => Array<Error>(count).fill(failure)

describe('failures that do not pass', () => {
  it.each([
    ['a link that cannot be used', plain],
    ['499 of the store', new StoreStatusError(499, undefined)],
  ])('are given up after five, with growing pauses: %s', async (_, failure) => {
    const { ended, triedAt, pauses } = await repeatFailing(times(9, failure))
    expect(ended).toBe(failure)
    expect(triedAt).toEqual([0, 500, 1_500, 3_500, 7_500])
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000])
  })
})

describe('a failure that may pass', () => {
  it.each([
    ['a failed check', passing],
    ['429 of the store', new StoreStatusError(429, undefined)],
    ['500 of the store', new StoreStatusError(500, undefined)],
    ['no connection', connectionRefused()],
  ])('is repeated for a minute, with pauses of at most 10 s: %s', async (_, failure) => {
    const { ended, triedAt } = await repeatFailing(times(99, failure))
    expect(ended).toBe(failure)
    expect(triedAt.slice(4)).toEqual([7_500, 15_500, 25_500, 35_500, 45_500, 55_500, 65_500])
  })

  it('gives the same minute to failures that do not pass', async () => {
    const { ended, triedAt } = await repeatFailing([passing, ...times(99, plain)])
    expect([ended, triedAt.at(-1)]).toEqual([plain, 65_500])
  })

  it('is not given up before five failures, however long they take', async () => {
    const slow = times(5, httpError(429, { retryAfter: 100_000 }))
    const { triedAt } = await repeatFailing(slow)
    expect(triedAt).toEqual([0, 100_000, 200_000, 300_000, 400_000])
  })
})

describe('Retry-After', () => {
  it('is a lower bound of the pause', async () => {
    const failures = [httpError(503, { retryAfter: 9_000 }), httpError(503, { retryAfter: 100 })]
    expect((await repeatFailing(failures)).pauses).toEqual([9_000, 1_000])
  })

  it('ends the tries if it ends after the limit', async () => {
    const failure = httpError(503, { retryAfter: 10_000 })
    const { ended, clock } = await repeatFailing([failure], { timeLeft: 10_000 })
    expect([ended, clock.elapsed]).toEqual([failure, 0])
  })
})

it.each([
  ['a refusal of the credentials', httpError(401)],
  ['a full disk', new FinalError('the disk is full')],
])('%s ends the tries at once, also within the minute of another failure', async (_, failure) => {
  const { ended, triedAt } = await repeatFailing([passing, failure])
  expect([ended, triedAt]).toEqual([failure, [0, 500]])
})

it('a cancellation ends a pause at once', async () => {
  const clock = new SimulatedClock({ maxJump: 0 })
  const cancellation = new AbortController()
  using limit = new Deadline(clock, hour, cancellation.signal)
  const reason = new Error('the runner sent SIGINT')
  const work = () => Promise.reject(plain)
  const repeated = repeat(work, { clock, random: () => 1, limit }, () => cancellation.abort(reason))
  expect(await rejectionOf(repeated)).toBe(reason)
})
