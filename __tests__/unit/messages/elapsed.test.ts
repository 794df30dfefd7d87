import { expect, it } from '@jest/globals'
import { describeElapsed } from '../../../src/messages/elapsed.ts'

it.each([
  [0, '0 s'],
  [20, '0.1 s'],
  [449, '0.4 s'],
  [9_949, '9.9 s'],
  [9_950, '10 s'],
  [59_499, '59 s'],
  [59_500, '1 min'],
  [130_000, '2 min 10 s'],
  [3_600_000, '1 h'],
  [3_900_000, '1 h 5 min'],
  [183_600_000, '2 d 3 h'],
  [-5, '0 s'],
])('%d ms are "%s"', (span, words) => {
  expect(describeElapsed(span)).toBe(words)
})
