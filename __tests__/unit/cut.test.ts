import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cut, cutBytes, lastLines } from '../../src/cut.ts'

const family = '👩‍👩‍👧'
const flag = '🇩🇪'
const text = fc
  .array(fc.oneof(fc.constantFrom(family, flag, '👍🏽', 'e\u0301', 'x', '\n', '€'), fc.string()))
  .map((parts) => parts.join(''))

function graphemes(of: string): string[] {
  return Array.from(new Intl.Segmenter().segment(of), ({ segment }) => segment)
}

describe('a cut', () => {
  it.each([
    ['0123456789', 10, '0123456789'],
    ['0123456789a', 10, '012345678…'],
    ['abc👍👍', 5, 'abc…'],
    [`ab${family}`, 9, 'ab…'],
    [`${flag}${flag}`, 7, `${flag}…`],
    ['ne\u0301e', 3, 'n…'],
    ['abc', 1, '…'],
  ])('of %j at %d leaves %j', (whole, limit, left) => {
    expect(cut(whole, limit)).toBe(left)
  })

  it('never goes through a character, nor over the limit', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (whole, limit) => {
        const left = cut(whole, limit)
        const kept = graphemes(left.replace(/…$/, ''))
        expect(left.length).toBeLessThanOrEqual(limit)
        if (left !== whole) expect(graphemes(whole).slice(0, kept.length)).toEqual(kept)
      }),
    )
  })

  it('of a letter under 100,000 accents is made in spite of them', () => {
    expect(cut(`x${'\u0301'.repeat(100_000)}`, 1_000)).toHaveLength(1_000)
  })
})

describe('a cut by bytes', () => {
  it('never goes through a character, nor over the limit', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 90 }), (whole, limit) => {
        const left = cutBytes(whole.toWellFormed(), limit)
        const kept = graphemes(left.replace(/…$/, ''))
        expect(Buffer.byteLength(left)).toBeLessThanOrEqual(limit)
        if (left !== whole) {
          expect(graphemes(whole.toWellFormed()).slice(0, kept.length)).toEqual(kept)
        }
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
    [`x${family}!`, 10, '!'],
    [`${family}\n`, 8, '\n'],
  ])('of %j in %d bytes are %j', (whole, limit, left) => {
    expect(lastLines(whole, limit)).toBe(left)
  })
})
