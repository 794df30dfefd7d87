import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { pauseBetweenChecks } from '../../../src/execution/poll.ts'
import { pauseAfterFailure } from '../../../src/service/backoff.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

describe('the pause between two checks', () => {
  it.each([
    ['at the beginning: poll-interval', 0, 5 * second, 5 * second],
    ['below poll-interval for 2 % of the age: poll-interval', 4 * minute, 5 * second, 5 * second],
    ['2 % of the age from there on', 10 * minute, 5 * second, 12 * second],
    ['at most 30 s', 25 * minute, 5 * second, 30 * second],
    ['at most 30 s, however old', 9 * hour, 5 * second, 30 * second],
    ['poll-interval where that is longer', 9 * hour, 2 * minute, 2 * minute],
    ['of a short poll-interval: soon 2 %', 1 * minute, 250, 1_200],
  ])('is %s', (_rule, age, pollInterval, pause) => {
    expect(pauseBetweenChecks(age, pollInterval)).toBe(pause)
  })
})

describe('the pause after failed checks', () => {
  const usual = 5 * second
  const never = () => 0

  it('doubles from failure to failure, up to a minute', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 5_000].map((failures) =>
      pauseAfterFailure(usual, failures, undefined, never),
    )

    expect(pauses).toEqual([5, 10, 20, 40, 60, 60, 60].map((seconds) => seconds * second))
  })

  it('is never shorter than the usual one', () => {
    expect(pauseAfterFailure(5 * minute, 3, undefined, never)).toBe(5 * minute)
  })

  it('has jitter of up to a quarter', () => {
    expect(pauseAfterFailure(usual, 1, undefined, () => 0.5)).toBe(5_625)
    expect(pauseAfterFailure(usual, 6, undefined, () => 1)).toBe(75 * second)
  })

  it('is what Retry-After says, longer or shorter, without jitter', () => {
    expect(pauseAfterFailure(usual, 4, 2 * hour, () => 1)).toBe(2 * hour)
    expect(pauseAfterFailure(30 * second, 4, 2 * second, () => 1)).toBe(2 * second)
  })

  it('is a second at least, or poll-interval where that is shorter, after Retry-After: 0', () => {
    expect(pauseAfterFailure(usual, 1, 0, never)).toBe(1 * second)
    expect(pauseAfterFailure(250, 1, 0, never)).toBe(250)
  })

  it('is always a span that ends', () => {
    const pollInterval = fc.integer({ min: 1, max: 10 * hour })
    const failures = fc.integer({ min: 1, max: 100_000 })
    const random = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
    fc.assert(
      fc.property(pollInterval, failures, random, (usual, count, chance) => {
        const pause = pauseAfterFailure(usual, count, undefined, () => chance)
        expect(pause).toBeGreaterThanOrEqual(usual)
        expect(pause).toBeLessThanOrEqual(Math.max(usual, minute) * 1.25)
      }),
    )
  })
})
