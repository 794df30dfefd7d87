/** The JSON Schema that results are checked by: given inline or in a file, and checked itself. */
import { z } from 'zod/mini'
import { systemClock } from '../../clock.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'
import { describeSchemaProblem } from '../../messages/result-problems.ts'
import { describeFault, findJsonFault } from './json-problem.ts'
import { addProblems, changed, refuse } from './text.ts'
import { inlineText, textFile } from './text-file.ts'

const maxBytes = 2 ** 20

/**
 * The schema's text: inline where it begins with a brace, else a file's. `bundleFolder`: where the
 * running bundle lies, beside which the one lies that checks schemas.
 */
export function resultSchema(workspace: string, bundleFolder: string) {
  const file = textFile(workspace, maxBytes)
  return changed(z.string(), async (given, context) => {
    const source = /^\s*\{/.test(given) ? inlineText : file
    const { data, error } = await source.safeParseAsync(given)
    if (!data) return refuse(context, error.issues[0]?.message ?? '')
    const { text, place } = data
    const { problems, count } = await findProblems(text, bundleFolder)
    const inWords = problems.map((problem) => place + describeSchemaProblem(problem))
    addProblems(context, inWords, count)
    return text
  })
}

async function findProblems(text: string, bundleFolder: string): Promise<SchemaProblems> {
  const fault = findJsonFault(text)
  if (fault !== undefined) {
    return wholeProblem(`expected a JSON Schema, found ${describeFault(text, fault)}`)
  }
  // Loaded where it is needed: most steps have no schema.
  const { findSchemaProblems, workerFileIn } = await import('../result-schema/checker.ts')
  const workerFile = workerFileIn(bundleFolder)
  const found = await findSchemaProblems(text, { workerFile, clock: systemClock })
  return found ?? { problems: [], count: 0 }
}
