/** Reads the JSON text of the seed. */
import { findOther } from './json-problem.ts'
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
  const isInline = source === 'inline'
  const found = findOther(text, { opening: '{', example, fileInput: 'seed-file', isInline })
  if (found === undefined) return text
  const more = /^\s*\[/.test(text) ? useBatch : ''
  throw new InputProblem(`expected a JSON object, found ${found}${more}`)
}
