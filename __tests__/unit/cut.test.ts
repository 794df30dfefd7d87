import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cut, cutMiddle, lastLines } from '../../src/cut.ts'

const text = fc
  .array(fc.oneof(fc.constantFrom('👍', 'x', '\n', '€'), fc.string()))
  .map((parts) => parts.join('').toWellFormed())

describe('a cut', () => {
  it.each([
    ['0123456789', 10, '0123456789'],
    ['0123456789a', 10, '012345678…'],
    ['abc👍👍', 5, 'abc…'],
    ['abc', 1, '…'],
  ])('of %j at %d is %j', (whole, limit, kept) => {
    expect(cut(whole, limit)).toBe(kept)
  })

  it('keeps whole characters from the beginning, within the limit', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 90 }), (whole, limit) => {
        const kept = cut(whole, limit)
        expect(kept.length).toBeLessThanOrEqual(limit)
        expect(kept.isWellFormed()).toBe(true)
        if (kept !== whole) expect(whole.startsWith(kept.replace(/…$/, ''))).toBe(true)
      }),
    )
  })
})

describe('a cut of the middle', () => {
  it.each([
    ['0123456789', 10, '0123456789'],
    ['0123456789a', 10, '0123…6789a'],
    ['abc👍👍def', 7, 'abc…def'],
    [`${'a'.repeat(1000)}b`, 1000, `${'a'.repeat(699)}…${'a'.repeat(299)}b`],
  ])('of %j at %d is %j', (whole, limit, kept) => {
    expect(cutMiddle(whole, limit)).toBe(kept)
  })

  it('keeps whole characters, within the limit', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 90 }), (whole, limit) => {
        const kept = cutMiddle(whole, limit)
        expect(kept.length).toBeLessThanOrEqual(limit)
        expect(kept.isWellFormed()).toBe(true)
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
  ])('of %j in %d bytes are %j', (whole, limit, kept) => {
    expect(lastLines(whole, limit)).toBe(kept)
  })
})
