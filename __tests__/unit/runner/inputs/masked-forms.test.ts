import { describe, expect, it } from '@jest/globals'
import { readSecrets } from '../../../../src/runner/inputs/secrets.ts'

const secretsOfHeaders = (text: string) => readSecrets({ 'INPUT_WEBHOOK-HEADERS': text })

describe('what is masked of headers in JSON', () => {
  it('is strings and numbers, however deep, and no other value', () => {
    const text =
      '{"X-Key": 12345, "X-Token": [{"more": "nested"}], "X-Auth": true, "X-Cookie": null}'
    expect(secretsOfHeaders(text)).toEqual(['12345', 'nested'])
  })

  it('is each line of a string, too, without the space around it', () => {
    expect(secretsOfHeaders('{"X-Key": "  first\\n second  "}')).toEqual([
      'first\n second',
      'second',
      'first',
    ])
  })
})

describe('what is masked of headers in JSON that is broken', () => {
  it('is each line and each string, without the space around it', () => {
    expect(secretsOfHeaders('{"X-Key"\n  "  secret  "  ')).toEqual([
      '{"X-Key"',
      '"  secret  "',
      'secret  "',
      'X-Key',
      'secret',
    ])
  })

  it('is its lines where it holds no string', () => {
    expect(secretsOfHeaders('{ bare-secret')).toEqual(['{ bare-secret', 'bare-secret'])
  })

  it('is no white space, which would garble the log', () => {
    expect(secretsOfHeaders('{"      ": ')).not.toContain('      ')
  })
})

describe('what is masked of a header line', () => {
  it('without a colon is all of it, without the space around it', () => {
    expect(secretsOfHeaders('  Bearer  abcdef  ')).toEqual(['Bearer  abcdef', 'abcdef'])
  })
})

describe("what is masked of the webhook's address", () => {
  it('is its password, whatever the space around the address', () => {
    expect(readSecrets({ INPUT_WEBHOOK: '\n https://me:four@hooks.example.com ' })).toEqual([
      'four',
    ])
  })
})
