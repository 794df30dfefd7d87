import { describe, expect, it } from '@jest/globals'
import { artifactNameFor } from '../../../src/runner/publish-artifact.ts'

const id = '3fe9efe6-c93b-4981-ba0b-67bb593f9bf4'

describe('the name of an artifact', () => {
  it('is the name in the input', () => {
    expect(artifactNameFor('report', 'daily', id, 2)).toBe('report')
  })

  it('consists of automation and id, without characters that GitHub refuses', () => {
    expect(artifactNameFor(undefined, 'a/b:c', 'd*e', 1)).toBe('a-b-c-d-e')
  })

  it('has the attempt above the first, because a re-run may publish the same execution', () => {
    expect(artifactNameFor(undefined, 'daily', id, 2)).toBe(`daily-${id}-attempt-2`)
    const longest = artifactNameFor(undefined, 'é'.repeat(300), 'i'.repeat(200), 12)
    expect(longest.endsWith(`-${'i'.repeat(200)}-attempt-12`)).toBe(true)
    expect(longest.length).toBeLessThanOrEqual(260)
  })

  it.each([200, 10_000])('keeps the id whole behind a name of %d characters', (length) => {
    const name = artifactNameFor(undefined, 'é'.repeat(length), id, 1)
    expect(name.endsWith(`-${id}`)).toBe(true)
    expect(name.length).toBeLessThanOrEqual(260)
  })

  it('keeps the longest id whole, and only whole characters', () => {
    const name = artifactNameFor(undefined, '😀'.repeat(100), 'i'.repeat(200), 1)
    expect(name.endsWith(`-${'i'.repeat(200)}`)).toBe(true)
    expect(name.isWellFormed()).toBe(true)
  })
})
