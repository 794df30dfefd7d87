import { describe, expect, it } from '@jest/globals'
import {
  booleanInput,
  lineOfText,
  oneOf,
  optional,
  quote,
} from '../../../../src/runner/inputs/text.ts'
import { outcome, problemsOf } from './outcome.ts'

describe('an input that may be left out', () => {
  it.each([undefined, '', ' \r\n\t'])('%j means absent', async (text) => {
    expect(await outcome(optional(lineOfText), text)).toBeUndefined()
  })

  it('is its text otherwise', async () => {
    expect(await outcome(optional(lineOfText), ' a ')).toBe('a')
    expect(await problemsOf(optional(lineOfText), 'a\nb')).toHaveLength(1)
  })
})

describe('one of a few words', () => {
  const word = oneOf(['fail', 'skip'])

  it('is one of them, white space aside', async () => {
    expect(await outcome(word, ' skip\n')).toBe('skip')
  })

  it.each(['Skip', 'skip it', 'toString'])('refuses %s', async (text) => {
    expect(await problemsOf(word, text)).toEqual([`expected one of fail, skip, found "${text}"`])
  })

  it('cannot be empty', async () => {
    expect(await problemsOf(word, '')).toEqual([
      'empty or not given; give a value, or leave the input out to use its default',
    ])
  })
})

describe('a value in a problem', () => {
  it.each([
    ['10x', '"10x"'],
    ['say "hi"\n', '"say \\"hi\\"\\n"'],
    ['\u001b[31mred\u0085\u2028', '"\\u001b[31mred\\u{85}\\u{2028}"'],
    ['\u202etxt.exe\u2066', '"\\u{202e}txt.exe\\u{2066}"'],
    ['\u200b', '"\\u{200b}"'],
    ['a'.repeat(100_000), `"${'a'.repeat(100_000)}"`],
  ])('%j reads %s', (value, shown) => {
    expect(quote(value)).toBe(shown)
  })
})

describe('a boolean, as the core schema of YAML 1.2 spells it', () => {
  it.each(['true', 'True', 'TRUE', ' true\n'])('%j is true', async (text) => {
    expect(await outcome(booleanInput, text)).toBe(true)
  })

  it.each(['false', 'False', 'FALSE'])('%j is false', async (text) => {
    expect(await outcome(booleanInput, text)).toBe(false)
  })

  it.each(['yes', 'no', 'on', '1', '0', 'tRUE', 'truethy', 'null'])('refuses %j', async (text) => {
    expect(await problemsOf(booleanInput, text)).toEqual([
      `expected true or false, found "${text}"`,
    ])
  })

  it('has no value when empty', async () => {
    expect(await problemsOf(booleanInput, '')).toHaveLength(1)
  })
})
