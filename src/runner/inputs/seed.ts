/** Reads the JSON text of the seed. */
import {
  adviseOnFault,
  describeFault,
  describeKind,
  describeNoJson,
  findJsonFault,
} from './json-problem.ts'
import { InputProblem } from './readings.ts'

/** Where a seed or a list comes from. Only an inline text can contain values of expressions. */
export type Source = 'inline' | 'file'

const example = '{"city": "Bern"}'

const useBatch = '; the action batch starts one run for each element'

/** The maximum size of a file with a seed, in bytes. */
export const maxSeedSize = 10 * 2 ** 20

/**
 * Returns the text of a seed, which is a JSON object. The text is sent unchanged, because parsing and
 * writing JSON changes numbers such as `12345678901234567890`, `1.0` and `1e400`.
 */
export function readSeed(text: string, source: Source): string {
  const expected = 'expected a JSON object, found'
  const fault = findJsonFault(text)
  if (fault !== undefined) {
    const advice = adviseOnFault(text, fault, example, source === 'inline')
    const found = describeNoJson(text, 'seed-file') ?? describeFault(text, fault) + advice
    throw new InputProblem(`${expected} ${found}`)
  }
  if (/^\s*\{/.test(text)) return text
  const found = describeKind(text, '{', example)
  throw new InputProblem(`${expected} ${found}${/^\s*\[/.test(text) ? useBatch : ''}`)
}
