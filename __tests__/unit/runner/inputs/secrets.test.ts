import { describe, expect, it } from '@jest/globals'
import { inputsWithShortSecrets, readSecrets } from '../../../../src/runner/inputs/secrets.ts'

function secretsOfHeaders(text: string): string[] {
  return readSecrets({ 'INPUT_WEBHOOK-HEADERS': text })
}

describe('what has to be masked', () => {
  it('is the credentials, without white space around, however short', () => {
    const environment = { 'INPUT_API-TOKEN': ' token-1\n', 'INPUT_API-KEY': 'k' }
    expect(readSecrets(environment)).toEqual(['token-1', 'k'])
  })

  it('is each line of a credential that has several: a mask works by line', () => {
    const environment = { 'INPUT_API-TOKEN': 'first line\r\n\n second line', 'INPUT_API-KEY': '' }
    expect(readSecrets(environment)).toEqual(['first line', 'second line'])
  })

  it.each([
    'Authorization',
    'Proxy-Authorization',
    'authorization',
    'Cookie',
    'Set-Cookie2',
    'X-Auth',
    'X-OAuth2',
    'X-Auth-Token',
    'X-AuthToken',
    'x_access_token',
    'X-Key',
    'X-Api-Key',
    'XApiKey',
    'X-Apikey',
    'X-ACCESSKEY',
    'Client-Secret',
    'X-Secrets',
    'X-Pass',
    'X-Password',
    'Passphrase',
    'X-Session-Id',
    'X-Hub-Signature-256',
    'X-Credentials',
  ])('is the value of %s, which names a credential', (name) => {
    expect(secretsOfHeaders(`${name}: abc:defgh`)).toEqual(['abc:defgh'])
    expect(secretsOfHeaders(JSON.stringify({ [name]: 'abc:defgh' }))).toEqual(['abc:defgh'])
  })

  it.each([
    'X-Source: github',
    'X-Format: json',
    'X-Notify: success',
    'X-Port: 8080',
    'Content-Type: application/json',
    'X-Author: octocat',
    'X-Authority: example.com',
    'X-Keyboard: qwerty',
    'X-Monkey: george',
    'X-Compass: north',
    'X-Passenger: alice',
    'X-Design: dark blue',
    'X-Title: Basics of tokens',
  ])('is not the value of %s: it stands in the workflow file for all to read', (line) => {
    const [name = '', value = ''] = line.split(': ')
    expect(secretsOfHeaders(line)).toEqual([])
    expect(secretsOfHeaders(JSON.stringify({ [name]: value }))).toEqual([])
  })

  it.each(['Bearer', 'bearer', 'Basic', 'Token', 'Digest', 'ApiKey', 'AWS4-HMAC-SHA256', 'SSWS'])(
    'is any value behind the scheme %s, whole and without that word',
    (scheme) => {
      expect(secretsOfHeaders(`X-Forward: ${scheme} abc:def`)).toEqual([
        `${scheme} abc:def`,
        'abc:def',
      ])
    },
  )

  it('is what follows an unknown scheme in a header that names a credential', () => {
    expect(secretsOfHeaders('Authorization: Our-Own abcdef')).toEqual(['Our-Own abcdef', 'abcdef'])
  })

  it('is the strings of headers in JSON, unescaped', () => {
    expect(secretsOfHeaders('{"Authorization": "Basic \\"abcd", "X": ["nested"]}')).toEqual([
      'Basic "abcd',
      '"abcd',
    ])
  })

  it('is all of a header line without a colon', () => {
    expect(secretsOfHeaders('Bearer abcdef')).toEqual(['Bearer abcdef', 'abcdef'])
  })

  it('is whatever may be a value in broken JSON', () => {
    const secrets = secretsOfHeaders('{"Authorization": "Bearer abcdef", "X-Port":\n  unquoted')
    expect(secrets).toEqual(expect.arrayContaining(['Bearer abcdef', 'abcdef', 'unquoted']))
  })

  it("is the password in the webhook's address", () => {
    expect(readSecrets({ INPUT_WEBHOOK: 'https://me:pass-word@hooks.example.com' })).toEqual([
      'pass-word',
    ])
  })

  it('is nothing where nothing is given', () => {
    expect(readSecrets({})).toEqual([])
  })
})

describe('a secret of fewer than six characters', () => {
  const environment = {
    'INPUT_API-TOKEN': 'abcde',
    'INPUT_API-KEY': 'abcdef',
    INPUT_WEBHOOK: 'https://me:pw@hooks.example.com',
    'INPUT_WEBHOOK-HEADERS': 'X-Key: 12345\nX-Port: 8080\nX-Forward: Bearer 1',
  }

  it('is masked all the same', () => {
    const secrets = ['abcde', 'abcdef', 'pw', '12345', 'Bearer 1', '1']
    expect(readSecrets(environment)).toEqual(secrets)
  })

  it('is told by its input', () => {
    expect(inputsWithShortSecrets(environment)).toEqual(['api-token', 'webhook', 'webhook-headers'])
    expect(inputsWithShortSecrets({ 'INPUT_API-KEY': 'abcdef' })).toEqual([])
  })
})
