import { describe, expect, it } from '@jest/globals'
import { pauseBetweenChecks } from '../../../src/execution/watch.ts'

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
    ['poll-interval if that is longer', 9 * hour, 2 * minute, 2 * minute],
    ['2 % of the age sooner, for a short poll-interval', 1 * minute, 250, 1_200],
  ])('is %s', (_rule, age, pollInterval, pause) => {
    expect(pauseBetweenChecks(age, pollInterval)).toBe(pause)
  })
})
