import { describe, expect, it } from '@jest/globals'
import { startInputs } from '../../../../src/runner/inputs/read.ts'
import { openInputs } from '../../../../src/runner/inputs/declaration.ts'

function secretsOfHeaders(text: string): string[] {
  return openInputs(startInputs, { 'INPUT_WEBHOOK-HEADERS': text }, '').secrets
}

describe('the masked part of webhook headers', () => {
  it.each([
    ...['Authorization', 'Proxy-Authorization', 'authorization', 'Cookie', 'Set-Cookie2'],
    ...['X-Auth', 'X-OAuth2', 'X-Auth-Token', 'x_access_token', 'X-Key', 'X-Keys', 'XApiKey'],
    ...['X-Api-Key', 'X-ACCESSKEY', 'Client-Secret', 'X-Secrets', 'X-Pass', 'X-Password'],
    ...['Passphrase', 'X-Session-Id', 'X-Hub-Signature-256', 'X-Credentials', 'X-Pin', 'X-Csrf'],
  ])('is the value of %s, which names a credential', (name) => {
    expect(secretsOfHeaders(`${name}: abc:defgh`)).toEqual(['abc:defgh'])
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
  ])('is not the value of %s, because everybody can read it in the workflow file', (line) => {
    expect(secretsOfHeaders(line)).toEqual([])
  })

  it.each([
    ...['Bearer', 'bearer ', 'Basic', 'Token', 'Digest', 'ApiKey', 'AWS4-HMAC-SHA256', 'SSWS'],
  ])('is any value behind the scheme %s, with the scheme and without', (scheme) => {
    expect(secretsOfHeaders(`X-Forward: ${scheme} abc:def`)).toEqual([
      `${scheme} abc:def`,
      'abc:def',
    ])
  })

  it('is the text after an unknown scheme in a header that names a credential', () => {
    expect(secretsOfHeaders('Authorization: Our-Own abcdef')).toEqual(['Our-Own abcdef', 'abcdef'])
    expect(secretsOfHeaders('Authorization: Our-Own ab')).toEqual(['Our-Own ab'])
  })
})

describe('the masked part of headers that cannot be read', () => {
  it('is each line without a colon, without the space around it', () => {
    expect(secretsOfHeaders('X-Source: github\n  Bearer  abcdef  ')).toEqual(['Bearer  abcdef'])
  })

  it('is each line of a text that begins like JSON', () => {
    expect(secretsOfHeaders(' {\n  "X-Team": "abcdef",\n  "X-Id": 1\n}')).toEqual([
      '"X-Team": "abcdef",',
      '"X-Id": 1',
    ])
  })

  it('is no line of fewer than 6 characters, because such a mask hides parts of other words', () => {
    expect(secretsOfHeaders('abcde\n{\n\n}')).toEqual([])
  })
})
