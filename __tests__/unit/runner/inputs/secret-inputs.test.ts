import { describe, expect, it } from '@jest/globals'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { addSecretsOf } from '../../../../src/runner/inputs/secret-inputs.ts'
import { environmentOf } from './problems.ts'

const secretsOf = (inputs: Record<string, string>) => {
  const masked: string[] = []
  addSecretsOf(environmentOf(inputs), new Secrets((value) => masked.push(value)))
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

  it("is the credentials in the webhook's address, and texts hide the whole address", () => {
    const secrets = new Secrets(() => undefined)
    const webhook = ' https://relay.example/run-automation '
    addSecretsOf(environmentOf({ webhook }), secrets)
    expect(secrets.show('to https://relay.example/run-automation, not run-automation')).toBe(
      'to ***, not run-automation',
    )
    expect(secretsOf({ webhook: 'https://me:pass-word@relay.example/hook' })).toEqual(['pass-word'])
  })

  it('is the credentials in the headers of the webhook', () => {
    expect(
      secretsOf({ 'webhook-headers': 'X-Key: abcdef\nX-Key-Version: 2\nX-Team: reports' }),
    ).toEqual(['abcdef'])
  })

  it('is one text if two inputs have the same text', () => {
    expect(secretsOf({ 'api-token': 'same', 'api-key': 'same' })).toEqual(['same'])
  })

  it('is nothing if no secret is given', () => {
    expect(secretsOf({ seed: '{"token": "abc"}' })).toEqual([])
  })
})
