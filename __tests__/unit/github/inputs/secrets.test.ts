import { describe, expect, it } from '@jest/globals'
import { readSecrets } from '../../../../src/github/inputs/secrets.ts'

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

  it('is the value of each header, and what follows its scheme', () => {
    expect(secretsOfHeaders('Authorization: Bearer abc:def\n\nX-Key: 12:34')).toEqual([
      'Bearer abc:def',
      'abc:def',
      '12:34',
    ])
  })

  it('is the strings of headers in JSON, unescaped', () => {
    expect(secretsOfHeaders('{"Authorization": "Basic \\"abcd", "X": ["nested"]}')).toEqual(
      expect.arrayContaining(['Basic "abcd', '"abcd', 'nested']),
    )
  })

  it('is all of a header line without a colon', () => {
    expect(secretsOfHeaders('Bearer abcdef')).toEqual(['Bearer abcdef', 'abcdef'])
  })

  it('is whatever may be a value in broken JSON', () => {
    const secrets = secretsOfHeaders('{"Authorization": "Bearer abcdef", "X-Key":\n  unquoted')
    expect(secrets).toEqual(expect.arrayContaining(['Bearer abcdef', 'abcdef', 'unquoted']))
  })

  it('is no header value under four characters, which would garble the log', () => {
    expect(secretsOfHeaders('X-One: 123\nX-Two: Bearer 1\nX-Three: 1234')).toEqual([
      'Bearer 1',
      '1234',
    ])
  })

  it("is the password in the webhook's address", () => {
    expect(readSecrets({ INPUT_WEBHOOK: 'https://me:pass-word@hooks.example.com' })).toEqual([
      'pass-word',
    ])
    expect(readSecrets({ INPUT_WEBHOOK: 'https://me:pw@hooks.example.com' })).toEqual([])
  })

  it('is nothing where nothing is given', () => {
    expect(readSecrets({})).toEqual([])
  })
})
