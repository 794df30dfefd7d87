/** Reads the JSON text of the seed. */
import { describeFault, findJsonFault, kindAt } from './json-problem.ts'
import { InputProblem } from './readings.ts'

/** The advice if a `${{ }}` expression inserted a value into JSON without `toJSON`. */
export const remedy =
  '; if a value comes from an expression, insert it with toJSON and without quotes: {"name": ${{ toJSON(inputs.name) }}}'

/** The maximum size of a file with a seed, in bytes. */
export const maxSeedSize = 10 * 2 ** 20

/**
 * Returns the text of a seed, which is a JSON object. The text is sent unchanged, because parsing and
 * writing JSON changes numbers such as `12345678901234567890`, `1.0` and `1e400`. `advice` ends the
 * message about a text that is not JSON.
 */
export function readSeed(text: string, advice: string): string {
  const expected = 'expected a JSON object, found'
  const fault = findJsonFault(text)
  if (fault !== undefined) {
    throw new InputProblem(`${expected} ${describeFault(text, fault)}${advice}`)
  }
  const start = text.search(/\S/)
  if (text[start] === '{') return text
  throw new InputProblem(`${expected} ${kindAt(text, start)}`)
}
