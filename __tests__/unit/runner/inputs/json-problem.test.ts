import { describe, expect, it } from '@jest/globals'
import {
  describeFault,
  findJsonFault,
  findOther,
} from '../../../../src/runner/inputs/json-problem.ts'

function problemIn(text: string): string | undefined {
  const fault = findJsonFault(text)
  return fault === undefined ? undefined : describeFault(text, fault)
}

describe('the place where a text stops being JSON', () => {
  it.each([
    ['', 'unexpected end of input at line 1, column 1'],
    ['{"a":\r[1,\r\r', 'unexpected end of input at line 4, column 1'],
    [
      "{'a': 1}",
      `a text with an unexpected "'" (JSON has straight double quotes) at line 1, column 2`,
    ],
    [
      '{“a”: 1}',
      'a text with an unexpected "“" (JSON has straight double quotes) at line 1, column 2',
    ],
    ['city: Ulm', 'a text with an unexpected "c" (it looks like YAML) at line 1, column 1'],
    ['city;day\nUlm;2', 'a text with an unexpected "c" (it looks like CSV) at line 1, column 1'],
    ['{"a": tru', 'a text with an unexpected "t" at line 1, column 7'],
    ['{"a": true1}', 'a text with an unexpected "1" at line 1, column 11'],
    ['[True]', 'a text with an unexpected "T" (JSON has true, false and null) at line 1, column 2'],
    ['[Nonesuch]', 'a text with an unexpected "N" at line 1, column 2'],
    [
      '{"a": 1,\n}',
      'a text with an unexpected "}" (JSON has no comma before it) at line 2, column 1',
    ],
    [
      '{"a": NaN}',
      'a text with an unexpected "N" (JSON has no NaN and no Infinity) at line 1, column 7',
    ],
    [
      '{"a": -Infinity}',
      'a text with an unexpected "-" (JSON has no NaN and no Infinity) at line 1, column 7',
    ],
    ['{"a":\r\n\r 01}', 'a text with an unexpected "1" at line 3, column 3'],
    ['{"a": "\\x"}', 'a text with an unexpected "x" at line 1, column 9'],
    ['{"a": "\\u12g"}', 'a text with an unexpected "u" at line 1, column 9'],
    ['{"a": 1 // b\n}', 'a text with an unexpected "/" (JSON has no comments) at line 1, column 9'],
    ['{ /* b */ }', 'a text with an unexpected "/" (JSON has no comments) at line 1, column 3'],
    ['{\n# b\n}', 'a text with an unexpected "#" (JSON has no comments) at line 2, column 1'],
    ['{"a": 1 / 2}', 'a text with an unexpected "/" at line 1, column 9'],
    ['{"a": 1.}', 'a text with an unexpected "." at line 1, column 8'],
    ['{"😀": 😀}', 'a text with an unexpected "😀" at line 1, column 8'],
    [
      '{"a": \u00a01}',
      'a text with an unexpected white space or control character at line 1, column 7',
    ],
  ])('%j', (text, problem) => {
    expect(problemIn(text)).toBe(problem)
  })

  it.each(['{}', ' [1.5e-3, "\\u00e9\\n", true, null] ', '-0', '[[], {"a": {}}]'])(
    'is nowhere: %j',
    (text) => {
      expect(problemIn(text)).toBeUndefined()
    },
  )

  it('is found however large and deep the text is', () => {
    const length = 1_000_000
    expect(findJsonFault(`{"a": ${'['.repeat(length)}x`)).toBe(length + 6)
    expect(findJsonFault(`{"a": "${'\\"'.repeat(length)}`)).toBe(2 * length + 7)
    expect(findJsonFault(`"${'a'.repeat(20 * length)}"`)).toBeUndefined()
  })
})

describe('a text that is no JSON at all', () => {
  const usePath = 'a path; give the path to the input seed-file'
  const wanted = { opening: '{', example: '{}', fileInput: 'seed-file', isInline: true } as const

  it.each([
    ['Object', 'write ${{ toJSON(…) }} around it'],
    [' Array\n', 'which an expression gives without toJSON'],
    ['data/seed.json', usePath],
    ['data\\seed.json', usePath],
    ['./seeds', usePath],
    ['my seed.JSON', usePath],
    ['https://example.com/seed.json', 'a text with an unexpected "h"'],
    ['city: data/seed.json', 'a text with an unexpected "c"'],
    ['city,file\nBern,data/seed.json', 'a text with an unexpected "c"'],
    ['Bern', 'a text with an unexpected "B"'],
  ])('%j', (text, description) => {
    expect(findOther(text, wanted)).toContain(description)
  })

  it.each(['../data/seed.json', '<!DOCTYPE html><html></html>'])(
    '%j in a file is no path: the file was found',
    (text) => {
      const found = findOther(text, { ...wanted, isInline: false })
      expect(found).toContain('a text with an unexpected')
    },
  )
})
