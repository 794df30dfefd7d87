import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { InputProblem } from '../../../../src/runner/inputs/readings.ts'
import { findHeaderSecrets, webhookHeaders } from '../../../../src/runner/inputs/webhook-headers.ts'
import { problemsOf } from './problems.ts'

describe('webhook headers as lines', () => {
  it('are split at the first colon only, blank lines skipped', () => {
    const text = '\nAuthorization: Bearer a:b:c\r\n\r\n  X-Time :12:30  \nX-Empty-Scheme: ://\n'
    expect(webhookHeaders(text)).toEqual({
      Authorization: 'Bearer a:b:c',
      'X-Time': '12:30',
      'X-Empty-Scheme': '://',
    })
  })

  it('keep a header named __proto__ a header, and a scheme that is a value', () => {
    const headers = webhookHeaders('__proto__: polluted\nX-Auth-Type: bearer')
    expect(JSON.stringify(headers)).toBe('{"__proto__":"polluted","X-Auth-Type":"bearer"}')
  })

  it('are refused with all problems at once, each with its line number', () => {
    const text = 'no colon\nX-One: 1\n\nbad name: 2\n: 3\nX-Four: 4\nX-Five:\nX-Six: a\u0007b'
    expect(problemsOf(webhookHeaders, text)).toEqual([
      'line 1: expected "Name: value", found no colon',
      expect.stringMatching(/^line 4: expected a header name of letters, digits and hyphens/),
      expect.stringMatching(/^line 5: expected a header name of letters, digits and hyphens/),
      'line 7: expected a value, found none; if the value comes from a secret, check that the secret is set',
      'line 8: expected a value without control characters, found one',
    ])
  })
})

const unset =
  'line 1: expected credentials after the scheme, found none; if they come from a secret, check that the secret is set'
const json =
  'expected one "Name: value" on each line, for example X-Team: reports, found a text that begins with "{"; write each header on its own line, without braces and quotes'

it.each([
  ['Authorization: Bearer ', unset],
  ['proxy-authorization: basic', unset],
  ['X-Authorization: Token', unset],
  ['{"X-Team": "a"}', json],
  [' \n{', json],
  [
    'X-Team: a\nX-Other: b\nx-team: c',
    'line 3: expected each header name once (case does not count), found it a second time; remove one of the two',
  ],
])('the webhook headers %j are refused', (text, problem) => {
  expect(problemsOf(webhookHeaders, text)).toEqual([problem])
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

  it('are sent as they are given', () => {
    fc.assert(
      fc.property(entries, (headers) => {
        const object = Object.fromEntries(headers)
        const lines = headers.map((header) => header.join(': ')).join('\n')
        expect(webhookHeaders(lines)).toEqual(object)
      }),
    )
  })

  it('never show anything of a line in a problem', () => {
    const secret = fc.string({
      unit: fc.constantFrom(...Array.from('ßþæŧłđ: \t\u0007{}"\n,')),
      minLength: 1,
    })
    fc.assert(
      fc.property(secret, (text) => {
        try {
          webhookHeaders(text)
        } catch (error) {
          if (!(error instanceof InputProblem)) throw error
          expect(error.problems.join()).not.toMatch(/[ßþæŧłđ]/)
        }
      }),
    )
  })
})

const secretsOf = (text: string) => [...new Set(findHeaderSecrets(text))]

describe('the masked part of webhook headers', () => {
  it.each([
    ...['Authorization', 'Proxy-Authorization', 'authorization', 'Cookie', 'Set-Cookie2'],
    ...['X-Auth', 'X-OAuth2', 'X-Auth-Token', 'x_access_token', 'X-Key', 'X-Keys', 'XApiKey'],
    ...['X-Api-Key', 'X-ACCESSKEY', 'Client-Secret', 'X-Secrets', 'X-Pass', 'X-Password'],
    ...['Passphrase', 'X-Session-Id', 'X-Hub-Signature-256', 'X-Credentials', 'X-Pin', 'X-Csrf'],
  ])('is the value of %s, which names a credential', (name) => {
    expect(secretsOf(`${name}: abc:defgh`)).toEqual(['abc:defgh'])
  })

  it.each([
    'X-Source: github',
    'Content-Type: application/json',
    'X-Author: octocat',
    'Author-Email: octocat@example.com',
    'X-Compass: north',
    'X-Passenger: alice',
    'X-Design: dark blue',
    'X-Title: Basics of tokens',
    'X-Title: The basic idea',
    'X-Auth-Type: bearer',
    'Authorization: Bearer ',
  ])('is not the value of %s, because everybody can read it in the workflow file', (line) => {
    expect(secretsOf(line)).toEqual([])
  })

  it.each([
    ...['Bearer', 'bearer ', 'Basic', 'Token', 'Digest', 'ApiKey', 'AWS4-HMAC-SHA256', 'SSWS'],
  ])('is any value behind the scheme %s, with the scheme and without', (scheme) => {
    expect(secretsOf(`X-Forward: ${scheme} abc:def`)).toEqual([`${scheme} abc:def`, 'abc:def'])
  })

  it('is the text after an unknown scheme in a header that names a credential', () => {
    expect(secretsOf('Authorization: Our-Own abcdef')).toEqual(['Our-Own abcdef', 'abcdef'])
    expect(secretsOf('Authorization: Our-Own ab')).toEqual(['Our-Own ab'])
  })
})

describe('the masked part of headers that cannot be read', () => {
  it('is each line without a colon, without the space around it', () => {
    expect(secretsOf('X-Source: github\n  Bearer  abcdef  ')).toEqual(['Bearer  abcdef'])
  })

  it('is each line of a text that begins like JSON', () => {
    expect(secretsOf(' {\n  "X-Team": "abcdef",\n  "X-Id": 1\n}')).toEqual([
      '"X-Team": "abcdef",',
      '"X-Id": 1',
    ])
  })

  it('is no line of fewer than 6 characters, because such a mask hides parts of other words', () => {
    expect(secretsOf('abcde\n{\n\n}')).toEqual([])
  })
})
