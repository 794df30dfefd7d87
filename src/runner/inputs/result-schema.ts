/** Declares the input for the JSON Schema of results, and compiles the schema. */
import { z } from 'zod/mini'
import { systemClock } from '../../clock.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'
import { describeSchemaProblem } from '../../messages/result-problems.ts'
import type { CompiledSchema, ResultSchema } from '../result-schema/compiled-schema.ts'
import { describeFault, findJsonFault } from './json-problem.ts'
import { addProblems, changed, refuse } from './text.ts'
import { inlineText, textFile } from './text-file.ts'

export const maxBytes = 2 ** 20

/** Accepts an inline schema, which begins with a brace, or the path of a schema file. */
export function resultSchema(workspace: string, bundleFolder: string) {
  const file = textFile(workspace, maxBytes)
  return changed(z.string(), async (given, context): Promise<ResultSchema> => {
    const source = /^\s*\{/.test(given) ? inlineText : file
    const { data, error } = await source.safeParseAsync(given)
    if (!data) return refuse(context, error.issues[0]?.message ?? '')
    const { text, place } = data
    const compiled = await compile(text, bundleFolder)
    if (!('problems' in compiled)) return compiled
    const inWords = compiled.problems.map((problem) => place + describeSchemaProblem(problem))
    addProblems(context, inWords, compiled.count)
    return z.NEVER
  })
}

async function compile(
  text: string,
  bundleFolder: string,
): Promise<CompiledSchema | SchemaProblems> {
  const fault = findJsonFault(text)
  if (fault !== undefined) {
    return wholeProblem(`expected a JSON Schema, found ${describeFault(text, fault)}`)
  }
  // The compiler is loaded only if it is needed, because most steps have no schema.
  const { CompiledSchema, workerFileIn } = await import('../result-schema/compiled-schema.ts')
  return CompiledSchema.compile(text, workerFileIn(bundleFolder), systemClock)
}
