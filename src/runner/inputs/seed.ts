/** Reads the JSON text of the seed, which is given inline or in a file. */
import type { z } from 'zod/mini'
import { describeFault, findJsonFault, kindAt } from './json-problem.ts'
import { changed, refuse } from './text.ts'
import { inlineText, textFile, type LongText } from './text-file.ts'

/** The advice if a `${{ }}` expression inserted a value into JSON without `toJSON`. */
export const remedy =
  '; if a value comes from an expression, insert it with toJSON and without quotes: {"name": ${{ toJSON(inputs.name) }}}'

/** The maximum size of a file with a seed, in bytes. */
export const maxSeedSize = 10 * 2 ** 20

export const seedText = seedFrom(inlineText, remedy)

/** Reads the seed from a file. The file may be outside of the workspace. */
export function seedFile(workspace: string) {
  return seedFrom(textFile(workspace, maxSeedSize), '')
}

/**
 * Reads the JSON text of the seed. The text is sent unchanged, because parsing and writing JSON
 * changes numbers such as `12345678901234567890`, `1.0` and `1e400`.
 */
function seedFrom(source: z.ZodMiniType<LongText>, advice: string) {
  return changed(source, ({ text, place }, context) => {
    const problem = findSeedProblem(text, advice)
    return problem === undefined ? text : refuse(context, place + problem)
  })
}

/** Returns the reason why a text is not a seed (a JSON object). Returns undefined for a seed. */
function findSeedProblem(text: string, advice: string): string | undefined {
  const expected = 'expected a JSON object, found'
  const fault = findJsonFault(text)
  if (fault !== undefined) return `${expected} ${describeFault(text, fault)}${advice}`
  const start = text.search(/\S/)
  return text[start] === '{' ? undefined : `${expected} ${kindAt(text, start)}`
}
