import { expect, it } from '@jest/globals'
import { describeElapsed, describeSize } from '../../../src/messages/quantities.ts'

it.each([
  [0, '0 s'],
  [1, '1 ms'],
  [49, '49 ms'],
  [50, '0.1 s'],
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

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_023, '1023 bytes'],
  [1_024, '1 KiB'],
  [1_434, '1.4 KiB'],
  [12_800, '13 KiB'],
  [1_024 ** 2 - 600, '1023 KiB'],
  [1_024 ** 2 - 1, '1 MiB'],
  [3 * 1024 ** 2, '3 MiB'],
  [5 * 1024 ** 5, '5120 TiB'],
])('%d bytes are "%s"', (bytes, words) => {
  expect(describeSize(bytes)).toBe(words)
})
