import { describe, expect, it } from '@jest/globals'
import { kinds, other } from '../../../src/cause/kinds.ts'
import { readLines } from '../../../src/cause/lines.ts'

describe('the table of kinds', () => {
  it.each([...kinds, other])('has an example that no earlier row takes: $name', (kind) => {
    expect(readLines(kind.example).map((line) => line.kind.name)).toEqual([kind.name])
  })

  // A pattern that backtracks over so long a text needs longer than a test may take.
  const characters = Array.from('a0_ \t.,:;-=+*/\\|\'"`([{<^~!?#@$%&>}])│')

  it.each(kinds)('has a pattern that reads repeated characters once: $name', ({ test }) => {
    for (const character of characters) {
      const text = character.repeat(100_000)
      expect(test instanceof RegExp && test.test(text)).toBe(matchesShort(test, character))
    }
  })

  function matchesShort(test: (typeof kinds)[number]['test'], character: string): boolean {
    return test instanceof RegExp && test.test(character.repeat(4_000))
  }
})
