import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { InputProblem } from '../../../../src/runner/inputs/readings.ts'
import { readSeed } from '../../../../src/runner/inputs/seed.ts'
import { problemsOf } from './problems.ts'

const seed = (text: string) => readSeed(text, '; advice')

describe('a seed', () => {
  it.each([
    '{}',
    '{"id": 12345678901234567890, "ratio": 1.0, "big": 1e400, "zero": -0}',
    ' \t{"a":\n1}\r\n\n',
    '{"escaped": "\\u00e9\\/", "emoji": "😀", "same": 1, "same": 2}',
    '{"__proto__": {"a": 1}}',
  ])('is sent unchanged: %j', (text) => {
    expect(seed(text)).toBe(text)
  })

  it('that is broken leads to the advice, and another value does not', () => {
    expect(problemsOf(seed, '{"name": Ada}')).toEqual([
      'expected a JSON object, found a text with an unexpected "A" at line 1, column 10; advice',
    ])
  })

  it('is sent unchanged, whatever the object and the white space', () => {
    const json = fc
      .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2, '\t'))
      .map(([value, indent]) => JSON.stringify(value, null, indent))
    const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t') })
    fc.assert(
      fc.property(space, json, space, (before, text, after) => {
        expect(seed(before + text + after)).toBe(before + text + after)
      }),
    )
  })

  it.each([
    ['[1]', 'an array'],
    ['null', 'null'],
    ['"text"', 'a string'],
    ['1', 'a number'],
    ['true', 'a boolean'],
  ])('is an object, and %s is refused', (text, found) => {
    expect(problemsOf(seed, text)).toEqual([`expected a JSON object, found ${found}`])
  })

  it('that is broken is never shown, except for one character', () => {
    const secret = 'ßþæŧłđ'
    const text = `{"token": "${secret}", ${secret}: ["${secret}"]}`
    const damage = fc.record({
      at: fc.nat(text.length),
      cut: fc.nat(12),
      put: fc.string({ maxLength: 1 }),
    })
    fc.assert(
      fc.property(damage, ({ at, cut, put }) => {
        const broken = text.slice(0, at) + put + text.slice(at + cut)
        try {
          seed(broken)
        } catch (error) {
          if (!(error instanceof InputProblem)) throw error
          const shown = Array.from(error.problems.join())
          expect(shown.filter((character) => secret.includes(character)).length).toBeLessThan(2)
        }
      }),
    )
  })
})
