import { describe, expect, it } from '@jest/globals'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { artifactNameFor } from '../../../src/runner/publish-artifact.ts'

const id = '3fe9efe6-c93b-4981-ba0b-67bb593f9bf4'
const secrets = new Secrets(() => undefined)
secrets.add('s3cr3t:"1"')
const inAttempt = (attempt: number) => ({
  environment: { GITHUB_RUN_ATTEMPT: String(attempt) },
  secrets,
})

describe('the name of an artifact', () => {
  it('is the name in the input', () => {
    expect(artifactNameFor('report', 'daily', id, inAttempt(2))).toBe('report')
  })

  it('consists of automation and id, without characters that GitHub refuses', () => {
    expect(artifactNameFor(undefined, 'a/b:c', 'd*e', inAttempt(1))).toBe('a-b-c-d-e')
  })

  it('has no part of a secret, which is redacted before anything is replaced or cut', () => {
    const long = `${'é'.repeat(210 - id.length)}s3cr3t:"1"`
    expect(artifactNameFor(undefined, 's3cr3t:"1"', 's3cr3t:"1"', inAttempt(1))).toBe('-------')
    expect(artifactNameFor('s3cr3t%3A%221%22', 'daily', id, inAttempt(1))).toBe('---')
    expect(artifactNameFor(undefined, long, id, inAttempt(1))).not.toContain('s3')
  })

  it('has the attempt above the first, because a re-run may publish the same execution', () => {
    expect(artifactNameFor(undefined, 'daily', id, inAttempt(2))).toBe(`daily-${id}-attempt-2`)
    const longest = artifactNameFor(undefined, 'é'.repeat(300), 'i'.repeat(200), inAttempt(12))
    expect(longest.endsWith(`-${'i'.repeat(200)}-attempt-12`)).toBe(true)
    expect(longest.length).toBeLessThanOrEqual(260)
  })

  it.each([200, 10_000])('keeps the id whole behind a name of %d characters', (length) => {
    const name = artifactNameFor(undefined, 'é'.repeat(length), id, inAttempt(1))
    expect(name.endsWith(`-${id}`)).toBe(true)
    expect(name.length).toBeLessThanOrEqual(260)
  })

  it('keeps the longest id whole, and only whole characters', () => {
    const name = artifactNameFor(undefined, '😀'.repeat(100), 'i'.repeat(200), inAttempt(1))
    expect(name.endsWith(`-${'i'.repeat(200)}`)).toBe(true)
    expect(name.isWellFormed()).toBe(true)
  })
})
