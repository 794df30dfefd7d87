import { describe, expect, it } from '@jest/globals'
import { growingPause } from '../../../src/service/backoff.ts'

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
