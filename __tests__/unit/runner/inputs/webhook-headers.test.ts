import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { webhookHeaders } from '../../../../src/runner/inputs/webhook-headers.ts'
import { outcome, problemsOf } from './outcome.ts'

describe('webhook headers as lines', () => {
  it('are split at the first colon only, blank lines skipped', async () => {
    const text = '\nAuthorization: Bearer a:b:c\r\n\r\n  X-Time :12:30  \nX-Empty-Scheme: ://\n'
    expect(await outcome(webhookHeaders, text)).toEqual({
      Authorization: 'Bearer a:b:c',
      'X-Time': '12:30',
      'X-Empty-Scheme': '://',
    })
  })

  it('keep a header named __proto__ a header', async () => {
    const headers = await outcome(webhookHeaders, '__proto__: polluted')
    expect(JSON.stringify(headers)).toBe('{"__proto__":"polluted"}')
  })

  it('are refused with all problems at once, each with its line number', async () => {
    const text = 'no colon\nX-One: 1\n\nbad name: 2\n: 3\nX-Four: 4\nX-Five:\nX-Six: a\u0007b'
    expect(await problemsOf(webhookHeaders, text)).toEqual([
      'line 1: expected "Name: value", found no colon',
      expect.stringMatching(/^line 4: expected a header name of letters, digits and hyphens/),
      expect.stringMatching(/^line 5: expected a header name of letters, digits and hyphens/),
      'line 7: expected a value, found none; if the value comes from a secret, check that the secret is set',
      'line 8: expected a value without control characters, found one',
    ])
  })
})

describe('webhook headers with more problems than an annotation has room for', () => {
  it('show the first 20 and count the others', async () => {
    const problems = await problemsOf(webhookHeaders, 'no colon\n'.repeat(22))
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toBe('2 more problems')
  })
})

describe('webhook headers as a JSON object', () => {
  it('are accepted unchanged', async () => {
    const text = ' {"Authorization": "Bearer a:b", "X-Text": "line: \\"one\\", \\u00e9"}\n'
    expect(await outcome(webhookHeaders, text)).toEqual({
      Authorization: 'Bearer a:b',
      'X-Text': 'line: "one", é',
    })
  })

  it.each([
    ['{"X-A": 1}', 'entry 1: expected a string as value, found something else'],
    ['{"X-A": "a", "X-B": null}', 'entry 2: expected a string as value, found something else'],
    [
      '{"X-A": "a\\nInjected: b"}',
      'entry 1: expected a value without control characters, found one',
    ],
    [
      '{"X-A": secret}',
      'expected lines "Name: value" or one JSON object of strings, found a text that starts like an object and is not valid JSON, at line 1, column 9',
    ],
  ])('%s is refused', async (text, problem) => {
    expect(await problemsOf(webhookHeaders, text)).toEqual([problem])
  })
})

describe('webhook headers of any kind', () => {
  const name = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/)
  const value = fc
    .string({ minLength: 1, unit: 'grapheme' })
    .map((text) => text.replace(/[\p{Cc}\u2028\u2029]/gu, '').trim())
    .filter((text) => text !== '')
  const entries = fc.uniqueArray(fc.tuple(name, value), {
    minLength: 1,
    selector: ([header]) => header.toLowerCase(),
  })

  it('have the same meaning as lines and as JSON', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (headers) => {
        const object = Object.fromEntries(headers)
        const lines = headers.map((header) => header.join(': ')).join('\n')
        expect(await outcome(webhookHeaders, lines)).toEqual(object)
        expect(await outcome(webhookHeaders, JSON.stringify(object))).toEqual(object)
      }),
    )
  })

  it('never show anything of a line in a problem', async () => {
    const secret = fc.string({
      unit: fc.constantFrom(...Array.from('ßþæŧłđ: \t\u0007{}"\n,')),
      minLength: 1,
    })
    await fc.assert(
      fc.asyncProperty(secret, async (text) => {
        expect(JSON.stringify(await outcome(webhookHeaders, text))).not.toMatch(/[ßþæŧłđ]/)
      }),
    )
  })
})

describe('a webhook header that is given twice', () => {
  it.each([
    ['X-Team: a\nX-Other: b\nx-team: c', 'line 3', 'line 1'],
    ['{"X-Team": "a", "X-Other": {"X-Team": ":"}, "X-\\u0054eam" : "c"}', 'entry 3', 'entry 1'],
  ])('is refused, names compared without case: %s', async (text, second, first) => {
    expect(await problemsOf(webhookHeaders, text)).toContain(
      `${second}: expected each header name once (case does not count), found the name of ${first}; remove one of the two`,
    )
  })
})

describe('a webhook header in JSON', () => {
  it('may not be only white space', async () => {
    expect(await problemsOf(webhookHeaders, '{"X-A": "  "}')).toEqual([
      'entry 1: expected a value, found none; if the value comes from a secret, check that the secret is set',
    ])
  })
})
