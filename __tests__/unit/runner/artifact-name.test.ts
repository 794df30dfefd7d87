import { expect, it } from '@jest/globals'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { artifactNameFor } from '../../../src/runner/publish-artifact.ts'

const id = '3fe9efe6-c93b-4981-ba0b-67bb593f9bf4'
const longId = 'i'.repeat(200)
const secret = 's3cr3t:"1"'
const secrets = new Secrets(() => undefined)
secrets.add(secret)
const nameOf = (given: string | undefined, automation: string, ofRun: string, attempt = 1) =>
  artifactNameFor(given, automation, ofRun, {
    environment: { GITHUB_RUN_ATTEMPT: String(attempt) },
    secrets,
  })

it.each([
  ['is the name in the input', 'report', 'daily', id, 2, 'report'],
  ['has no characters that GitHub refuses', undefined, 'a/b:c', 'd*e', 1, 'a-b-c-d-e'],
  ['has no secret', undefined, secret, secret, 1, '-------'],
  ['has no secret of the input', 's3cr3t%3A%221%22', 'daily', id, 1, '---'],
  ['has the attempt above the first', undefined, 'daily', id, 2, `daily-${id}-attempt-2`],
])('the name of an artifact %s', (_, given, automation, ofRun, attempt, name) => {
  expect(nameOf(given, automation, ofRun, attempt)).toBe(name)
})

it.each([
  ['é'.repeat(200), id, 1, `-${id}`],
  ['é'.repeat(10_000), id, 1, `-${id}`],
  [`${'é'.repeat(210 - id.length)}${secret}`, id, 1, `-${id}`],
  ['😀'.repeat(100), longId, 1, `-${longId}`],
  ['é'.repeat(300), longId, 12, `-${longId}-attempt-12`],
])('a long name of an artifact keeps the id whole, and only whole characters', (...given) => {
  const [automation, ofRun, attempt, end] = given
  const name = nameOf(undefined, automation, ofRun, attempt)
  expect(name.endsWith(end)).toBe(true)
  expect(name.length).toBeLessThanOrEqual(260)
  expect([name.isWellFormed(), name.includes('s3')]).toEqual([true, false])
})
