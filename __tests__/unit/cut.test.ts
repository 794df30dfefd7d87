import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cut, lastLines } from '../../src/cut.ts'

const text = fc
  .array(fc.oneof(fc.constantFrom('👍', 'x', '\n', '€'), fc.string()))
  .map((parts) => parts.join('').toWellFormed())

describe('a cut', () => {
  it.each([
    ['0123456789', 10, '0123456789'],
    ['0123456789a', 10, '012345678…'],
    ['abc👍👍', 5, 'abc…'],
    ['abc', 1, '…'],
  ])('of %j at %d leaves %j', (whole, limit, left) => {
    expect(cut(whole, limit)).toBe(left)
  })

  it('leaves whole characters from the first, within the limit', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 90 }), (whole, limit) => {
        const left = cut(whole, limit)
        expect(left.length).toBeLessThanOrEqual(limit)
        expect(left.isWellFormed()).toBe(true)
        if (left !== whole) expect(whole.startsWith(left.replace(/…$/, ''))).toBe(true)
      }),
    )
  })
})

describe('the last lines', () => {
  it.each([
    ['one\ntwo\n', 8, 'one\ntwo\n'],
    ['one\ntwo\n', 7, 'two\n'],
    ['one\ntwo', 3, 'two'],
    ['x€€', 5, '€'],
    ['👍👍!', 8, '👍!'],
  ])('of %j in %d bytes are %j', (whole, limit, left) => {
    expect(lastLines(whole, limit)).toBe(left)
  })
})
