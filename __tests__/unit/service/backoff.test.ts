import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { growingPause, pauseAfterFailure } from '../../../src/service/backoff.ts'

const least = () => 0
const half = () => 0.5

describe('a growing pause', () => {
  it.each([
    [1_000, 1, 1_000, 1_000],
    [1_000, 2, 1_000, 1_500],
    [1_000, 4, 4_000, 6_000],
    [1_000, 5, 7_500, 11_250],
    [1_000, 100_000, 7_500, 11_250],
    // A first pause above the maximum does not grow and is not shortened.
    [90_000, 3, 90_000, 90_000],
  ])('that begins with %d ms is, after failure %d, from %d ms', (first, n, shortest, middle) => {
    expect(growingPause(first, n, 15_000, least)).toBe(shortest)
    expect(growingPause(first, n, 15_000, half)).toBe(middle)
  })
})

describe('the pause after failed checks', () => {
  it.each([
    [5_000, 1, 5_000],
    [5_000, 2, 10_000],
    [5_000, 4, 40_000],
    [5_000, 5, 60_000],
    [5_000, 50, 60_000],
    // A usual pause of more than a minute does not grow.
    [90_000, 3, 90_000],
  ])('is, with a usual pause of %d ms and %d failures, %d ms', (usual, failures, pause) => {
    expect(pauseAfterFailure(usual, failures, least)).toBe(pause)
  })

  it('is longer by chance, so that jobs that began together spread out', () => {
    expect(pauseAfterFailure(8_000, 1, half)).toBe(9_000)
  })

  it('is always finite: at most a quarter longer than a minute or than the usual pause', () => {
    const failures = fc.integer({ min: 1, max: 100_000 })
    const random = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 36_000_000 }), failures, random, (usual, ...rest) => {
        const [count, chance] = rest
        const pause = pauseAfterFailure(usual, count, () => chance)
        expect(pause).toBeGreaterThanOrEqual(usual)
        expect(pause).toBeLessThanOrEqual(Math.max(usual, 60_000) * 1.25)
      }),
    )
  })
})
