import { expect, it } from '@jest/globals'
import { describeSize } from '../../../src/messages/size.ts'

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_023, '1023 bytes'],
  [1_024, '1 KiB'],
  [1_434, '1.4 KiB'],
  [12_800, '13 KiB'],
  [3 * 1024 ** 2, '3 MiB'],
  [5 * 1024 ** 5, '5120 TiB'],
])('%d bytes are "%s"', (bytes, words) => {
  expect(describeSize(bytes)).toBe(words)
})
