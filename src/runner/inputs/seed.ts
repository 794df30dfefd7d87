/** The seed's JSON text, given inline or in a file. */
import type { z } from 'zod/mini'
import { describeFault, findJsonFault, kindAt } from './json-problem.ts'
import { changed, refuse } from './text.ts'
import { inlineText, textFile, type LongText } from './text-file.ts'

export const seedText = seedFrom(inlineText)

/** The same from a file, wherever the job can read it, such as in the runner's temp folder. */
export function seedFile(workspace: string) {
  return seedFrom(textFile(workspace))
}

/**
 * The seed's JSON text. It is sent unchanged, because parsing and writing it again would change
 * numbers such as `12345678901234567890`, `1.0` and `1e400`.
 */
function seedFrom(source: z.ZodMiniType<LongText>) {
  return changed(source, ({ text, place }, context) => {
    const problem = findSeedProblem(text)
    return problem === undefined ? text : refuse(context, place + problem)
  })
}

/** Returns why a text is not a seed (a JSON object), or undefined. */
function findSeedProblem(text: string): string | undefined {
  const expected = 'expected a JSON object, found'
  const fault = findJsonFault(text)
  if (fault !== undefined) return `${expected} ${describeFault(text, fault)}${remedy}`
  const start = text.search(/\S/)
  return text[start] === '{' ? undefined : `${expected} ${kindAt(text, start)}`
}

/** The advice for a value that was put into a JSON text without encoding. */
export const remedy =
  '; if a value comes from an expression, insert it with toJSON and without quotes: {"name": ${{ toJSON(inputs.name) }}}'
