import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { seedText } from '../../../../src/runner/inputs/seed.ts'
import { outcome, problemsOf } from './outcome.ts'

describe('a seed', () => {
  it.each([
    '{}',
    '{"id": 12345678901234567890, "ratio": 1.0, "big": 1e400, "zero": -0}',
    ' \t{"a":\n1}\r\n\n',
    '{"escaped": "\\u00e9\\/", "emoji": "😀", "same": 1, "same": 2}',
    '{"__proto__": {"a": 1}}',
  ])('is sent unchanged: %j', async (text) => {
    expect(await outcome(seedText, text)).toBe(text)
  })

  it('loses a byte order mark before it, and nothing else', async () => {
    expect(await outcome(seedText, '\uFEFF {"a": "\uFEFF"}\n')).toBe(' {"a": "\uFEFF"}\n')
  })

  it('that is broken may have been inserted by an expression: the advice is toJSON', async () => {
    expect((await problemsOf(seedText, '{"name": Ada}')).join()).toContain('insert it with toJSON')
    expect((await problemsOf(seedText, '[1]')).join()).not.toContain('toJSON')
  })

  it('is sent unchanged, whatever the object and the white space', async () => {
    const json = fc
      .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2, '\t'))
      .map(([value, indent]) => JSON.stringify(value, null, indent))
    const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t') })
    await fc.assert(
      fc.asyncProperty(space, json, space, async (before, text, after) => {
        expect(await outcome(seedText, before + text + after)).toBe(before + text + after)
      }),
    )
  })

  it.each([
    ['[1]', 'an array'],
    ['null', 'null'],
    ['"text"', 'a string'],
    ['1', 'a number'],
    ['true', 'a boolean'],
  ])('is an object, and %s is refused', async (text, found) => {
    expect(await problemsOf(seedText, text)).toEqual([`expected a JSON object, found ${found}`])
  })

  it('that is broken is never shown, except for one character', async () => {
    const secret = 'ßþæŧłđ'
    const text = `{"token": "${secret}", ${secret}: ["${secret}"]}`
    const damage = fc.record({
      at: fc.nat(text.length),
      cut: fc.nat(12),
      put: fc.string({ maxLength: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, cut, put }) => {
        const broken = text.slice(0, at) + put + text.slice(at + cut)
        const answer = JSON.stringify(await outcome(seedText, broken))
        fc.pre(answer.includes('problems'))
        expect(
          Array.from(answer).filter((character) => secret.includes(character)).length,
        ).toBeLessThan(2)
      }),
    )
  })
})
