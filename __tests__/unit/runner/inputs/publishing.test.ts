import { describe, expect, it } from '@jest/globals'
import { artifactName, retentionDays } from '../../../../src/runner/inputs/publishing.ts'
import { outcome, problemsOf } from './outcome.ts'

describe("the artifact's name", () => {
  it('may be any line', async () => {
    expect(await outcome(artifactName, ' report of Monday (1) ')).toBe('report of Monday (1)')
  })

  it.each(
    Array.from('":<>|*?\\/')
      .map((character) => `a${character}b`)
      .concat('.', '..'),
  )('is not %s', async (name) => {
    expect(await problemsOf(artifactName, name)).toEqual([
      `expected a name of at most 260 characters, without any of " : < > | * ? \\ /, other than . and .., found ${JSON.stringify(name)}`,
    ])
  })

  it('has at most 260 characters', async () => {
    expect(await outcome(artifactName, 'x'.repeat(260))).toHaveLength(260)
    expect(await problemsOf(artifactName, 'x'.repeat(261))).toHaveLength(1)
  })

  it.each(['a\rb', 'a\nb'])('%j is more than a line', async (text) => {
    expect(await problemsOf(artifactName, text)).toHaveLength(1)
  })
})

describe('the days that the artifact is kept', () => {
  it.each([
    ['1', 1],
    [' 90 ', 90],
    ['400', 400],
  ])('%j are %d', async (text, days) => {
    expect(await outcome(retentionDays, text)).toBe(days)
  })

  it.each(['0', '401', '-1', '1.5', '1e2', '0x10', 'ninety', '７'])('refuse %j', async (text) => {
    expect(await problemsOf(retentionDays, text)).toEqual([
      `expected a whole number from 1 to 400, found "${text}"`,
    ])
  })
})
