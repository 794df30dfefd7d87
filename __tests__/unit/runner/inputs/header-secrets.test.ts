import { describe, expect, it } from '@jest/globals'
import { startInputs } from '../../../../src/runner/inputs/read.ts'
import { openInputs } from '../../../../src/runner/inputs/declaration.ts'

function secretsOfHeaders(text: string): string[] {
  return openInputs(startInputs, { 'INPUT_WEBHOOK-HEADERS': text }, '').secrets.values
}

describe('the masked part of webhook headers', () => {
  it.each([
    ...['Authorization', 'Proxy-Authorization', 'authorization', 'Cookie', 'Set-Cookie2'],
    ...['X-Auth', 'X-OAuth2', 'X-Auth-Token', 'X-AuthToken', 'x_access_token', 'X-Key'],
    ...['X-Api-Key', 'XApiKey', 'X-Apikey', 'X-ACCESSKEY', 'Client-Secret', 'X-Secrets'],
    ...['X-Pass', 'X-Password', 'Passphrase', 'X-Session-Id', 'X-Hub-Signature-256'],
    ...['X-Credentials', 'userPin', 'X-Otp123'],
  ])('is the value of %s, which names a credential', (name) => {
    expect(secretsOfHeaders(`${name}: abc:defgh`)).toEqual(['abc:defgh'])
    expect(secretsOfHeaders(JSON.stringify({ [name]: 'abc:defgh' }))).toEqual(['abc:defgh'])
  })

  it.each([
    'X-Source: github',
    'Content-Type: application/json',
    'X-Author: octocat',
    'X-Authority: example.com',
    'X-Keyboard: qwerty',
    'X-Monkey: george',
    'X-Compass: north',
    'X-Passenger: alice',
    'X-Design: dark blue',
    'X-K2ey: 12345',
    'SpinRate: 12345',
    'X-Title: Basics of tokens',
    'X-Title: The basic idea',
    'Fixauth: 12345',
    'UserAuthor: octocat',
    'MasterKeynote: opening',
  ])('is not the value of %s, because everybody can read it in the workflow file', (line) => {
    const [name = '', value = ''] = line.split(': ')
    expect(secretsOfHeaders(line)).toEqual([])
    expect(secretsOfHeaders(JSON.stringify({ [name]: value }))).toEqual([])
  })

  it.each([
    ...['Bearer', 'bearer ', 'Basic', 'Token', 'Digest', 'ApiKey', 'AWS4-HMAC-SHA256', 'SSWS'],
    ...['SCRAM-SHA-256', 'SharedKey', 'AccessToken'],
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

describe('the masked part of headers in JSON', () => {
  it('is also a number, and a string that is nested deeper than allowed', () => {
    const text = '{"X-Key": 12345, "X-Token": [{"more": "nested"}]}'
    expect(secretsOfHeaders(text)).toEqual(expect.arrayContaining(['12345', 'nested']))
  })

  it('is each line of a string, too, without the space around it', () => {
    expect(secretsOfHeaders('{"X-Key": "  first\\n second  "}')).toEqual([
      'first\n second',
      'second',
      'first',
    ])
  })
})

describe('the masked part of headers in broken JSON', () => {
  it('is each line and each string, without the space around it', () => {
    expect(secretsOfHeaders('{"X-Key"\n  "  secret  "  ')).toEqual([
      '{"X-Key"',
      '"  secret  "',
      'secret  "',
      'secret',
    ])
  })

  it('is its lines if it contains no string', () => {
    expect(secretsOfHeaders('{[bare-secret')).toEqual(['{[bare-secret', 'bare-secret'])
  })

  it('is not white space, because masked white space makes the log unreadable', () => {
    expect(secretsOfHeaders('{"      ": ')).not.toContain('      ')
  })
})

it('a JSON text of 128 KiB with a string that does not end is searched at once', () => {
  const text = `{"${'\\"'.repeat(60_000)}`
  const startedAt = process.cpuUsage()
  expect(secretsOfHeaders(text)).toContain(text)
  expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000)
})

describe('the masked part of a header line', () => {
  it('without a colon is all of it, without the space around it', () => {
    const text = 'X-Source: github\n  Bearer  abcdef  '
    expect(secretsOfHeaders(text)).toEqual(['Bearer  abcdef', 'abcdef'])
  })
})
