import { describe, expect, it } from '@jest/globals'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { secretsIn } from '../../../../src/runner/inputs/secrets.ts'
import { environmentOf } from './problems.ts'

const secretsOf = (inputs: Record<string, string>) => {
  const masked: string[] = []
  new Secrets((value) => masked.push(value)).add(...secretsIn(environmentOf(inputs)))
  return masked
}

describe('the masked text', () => {
  it.each(['api-token', 'api-key', 'github-token'])(
    'is the whole text of %s, without white space around, however short',
    (name) => {
      expect(secretsOf({ [name]: ' k\n' })).toEqual(['k'])
    },
  )

  it('is each line of a credential as well, because a mask works line by line', () => {
    expect(secretsOf({ 'api-token': 'first line\r\n\n second line', 'api-key': '' })).toEqual([
      'first line',
      'second line',
    ])
  })

  it.each([
    ['https://me:pass-word@hooks.example.com', ['pass-word']],
    ['\n https://me:four@hooks.example.com ', ['four']],
    ['https://hooks.example.com', []],
    ['no address', []],
  ])("is the password in the webhook's address: %j", (webhook, secrets) => {
    expect(secretsOf({ webhook })).toEqual(secrets)
  })

  it('is the credentials in the headers of the webhook', () => {
    expect(secretsOf({ 'webhook-headers': 'X-Key: abcdef\nX-Team: reports' })).toEqual(['abcdef'])
  })

  it('is one text if two inputs have the same text', () => {
    expect(secretsOf({ 'api-token': 'same', 'api-key': 'same' })).toEqual(['same'])
  })

  it('is nothing if no secret is given', () => {
    expect(secretsOf({ seed: '{"token": "abc"}' })).toEqual([])
  })
})
