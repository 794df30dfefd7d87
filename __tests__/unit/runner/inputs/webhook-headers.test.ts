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

describe('webhook headers as JSON', () => {
  it.each(['{"X-Team": "a"}', ' \n{', '{"X-A": secret'])('are refused: %s', async (text) => {
    expect(await problemsOf(webhookHeaders, text)).toEqual([
      'expected one "Name: value" on each line, for example X-Team: reports, found a text that begins with "{"; write each header on its own line, without braces and quotes',
    ])
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

  it('are sent as they are given', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (headers) => {
        const object = Object.fromEntries(headers)
        const lines = headers.map((header) => header.join(': ')).join('\n')
        expect(await outcome(webhookHeaders, lines)).toEqual(object)
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
  it('is refused, names compared without case', async () => {
    expect(await problemsOf(webhookHeaders, 'X-Team: a\nX-Other: b\nx-team: c')).toEqual([
      'line 3: expected each header name once (case does not count), found the name of line 1; remove one of the two',
    ])
  })
})
