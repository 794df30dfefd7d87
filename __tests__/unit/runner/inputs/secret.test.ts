import { describe, expect, it } from '@jest/globals'
import { z } from 'zod/mini'
import { openInputs } from '../../../../src/runner/inputs/declaration.ts'
import type { Environment } from '../../../../src/runner/environment.ts'
import { startInputs } from '../../../../src/runner/inputs/read.ts'
import { isSecret, secret, secretsIn } from '../../../../src/runner/inputs/secret.ts'
import { changed, lineOfText, oneOf, optional } from '../../../../src/runner/inputs/text.ts'

describe('a schema that is declared secret', () => {
  const declared = secret(lineOfText)

  it.each([
    ['itself', declared],
    ['optional', optional(declared)],
    ['with a rule', declared.check(z.refine((text) => text !== ''))],
    ['changed into something else', changed(declared, (text) => text.length)],
    [
      'behind a change',
      z.pipe(
        z.transform((text: string) => text),
        declared,
      ),
    ],
    ['one of two', z.union([z.literal('none'), declared])],
    ['with a default', z._default(declared, 'none')],
    ['or null', z.nullable(declared)],
    ['described', declared.check(z.describe('a token'))],
  ])('stays secret: %s', (_, schema) => {
    const field = { name: 'extra-token', schema, text: ' abc-123\n' }
    expect(secretsIn([field])).toEqual(['abc-123'])
  })

  it('does not make the original schema secret', () => {
    expect([isSecret(declared), isSecret(lineOfText), isSecret(oneOf(['a']))]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('may say which parts of its text are secret', () => {
    const schema = secret(z.string(), (text) => text.split('+'))
    expect(secretsIn([{ name: 'pair', schema, text: 'one+two+' }])).toEqual(['one', 'two'])
  })
})

const secretsOf = (environment: Environment) => openInputs(startInputs, environment, '').secrets

describe('the masked text', () => {
  it('is the credentials, without white space around, however short', () => {
    const environment = { 'INPUT_API-TOKEN': ' token-1\n', 'INPUT_API-KEY': 'k' }
    expect(secretsOf(environment)).toEqual(['token-1', 'k'])
  })

  it('is each line of a credential as well, because a mask works line by line', () => {
    const environment = { 'INPUT_API-TOKEN': 'first line\r\n\n second line', 'INPUT_API-KEY': '' }
    expect(secretsOf(environment)).toEqual([
      'first line\r\n\n second line',
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
    expect(secretsOf({ INPUT_WEBHOOK: webhook })).toEqual(secrets)
  })

  it('is nothing if no credentials are given', () => {
    expect(secretsOf({})).toEqual([])
  })
})
