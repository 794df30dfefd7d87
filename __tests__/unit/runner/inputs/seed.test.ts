import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { remedy } from '../../../../src/runner/inputs/json-problem.ts'
import { InputProblem } from '../../../../src/runner/inputs/readings.ts'
import { readSeed } from '../../../../src/runner/inputs/seed.ts'
import { problemsOf } from './problems.ts'

const writeJson = '; write JSON, for example {"city": "Bern"}'

const seed = (text: string) => readSeed(text, 'inline')

describe('a seed', () => {
  it.each([
    '{"id": 12345678901234567890, "ratio": 1.0, "big": 1e400, "zero": -0}',
    ' \t{"a":\n1}\r\n\n',
    '{"escaped": "\\u00e9\\/", "emoji": "😀", "same": 1, "same": 2}',
    '{"__proto__": {"a": 1}}',
  ])('is sent unchanged: %j', (text) => {
    expect(seed(text)).toBe(text)
  })

  // A value of an expression stands within JSON, and a file has no expressions.
  it.each([
    ['inline', '{"name": Ada}', remedy],
    ['inline', '{"name": "Ada "Countess""}', remedy],
    ['inline', '{"city": "Bern"} # or Rome', writeJson],
    ['file', '{"name": Ada}', writeJson],
    ['inline', '{"draft": True}', writeJson],
    ['inline', 'city,day\nBern,2', writeJson],
    ['inline', 'city: Bern', writeJson],
  ] as const)('that is not JSON leads to advice: %s %j', (source, text, advice) => {
    const problems = problemsOf((given) => readSeed(given, source), text)
    expect(problems).toEqual([expect.stringContaining(advice)])
  })

  const write = 'write an object, for example {"city": "Bern"}'

  it.each([
    ['[1]', `an array; ${write}; the action batch starts one run for each element`],
    [
      'null',
      `null, which toJSON gives for a missing value (on schedule, the inputs of workflow_dispatch are missing); ${write}`,
    ],
    ['" {}"', 'a JSON text inside a JSON string; remove one toJSON (or json.dumps)'],
    ['data/seed.json', 'a path; give the path to the input seed-file'],
  ])('is an object, and %s is refused', (text, found) => {
    expect(problemsOf(seed, text)).toEqual([`expected a JSON object, found ${found}`])
  })

  it('that is broken is never shown, except for one character', () => {
    const secret = 'ßþæŧłđ'
    const text = `{"token": "${secret}", ${secret}: ["${secret}"]}`
    const damage = fc.record({
      at: fc.nat(text.length),
      cut: fc.nat(12),
      put: fc.string({ maxLength: 1 }),
    })
    fc.assert(
      fc.property(damage, ({ at, cut, put }) => {
        const broken = text.slice(0, at) + put + text.slice(at + cut)
        try {
          seed(broken)
        } catch (error) {
          if (!(error instanceof InputProblem)) throw error
          const shown = Array.from(error.problems.join())
          expect(shown.filter((character) => secret.includes(character)).length).toBeLessThan(2)
        }
      }),
    )
  })
})
