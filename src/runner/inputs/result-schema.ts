/** The JSON Schema that results are checked by: given inline or in a file, and checked itself. */
import { z } from 'zod/mini'
import { systemClock } from '../../clock.ts'
import { describeSchemaProblem } from '../../messages/result-problems.ts'
import { describeFault, findJsonFault } from './json-problem.ts'
import { addProblem, changed, refuse } from './text.ts'
import { textFile } from './text-file.ts'

const maxBytes = 2 ** 20

/**
 * The schema's text: inline where it begins with a brace, else a file's. `bundleFolder`: where the
 * running bundle lies, beside which the one lies that checks schemas.
 */
export function resultSchema(workspace: string, bundleFolder: string) {
  const file = textFile(workspace, maxBytes)
  return changed(z.string(), async (given, context) => {
    let text = given.replace(/^\uFEFF/, '')
    let before = ''
    if (!/^\s*\{/.test(text)) {
      const { data, error } = await file.safeParseAsync(text)
      if (!data) return refuse(context, error.issues[0]?.message ?? '')
      text = data.text
      before = `${data.place}: `
    }
    for (const problem of await findProblems(text, bundleFolder)) {
      addProblem(context, `${before}${problem}`)
    }
    return text
  })
}

async function findProblems(text: string, bundleFolder: string): Promise<string[]> {
  const fault = findJsonFault(text)
  if (fault !== undefined) return [`expected a JSON Schema, found ${describeFault(text, fault)}`]
  // Loaded where it is needed: most steps have no schema.
  const { findSchemaProblems, workerFileIn } = await import('../result-schema/checker.ts')
  const found = await findSchemaProblems(text, {
    workerFile: workerFileIn(bundleFolder),
    clock: systemClock,
  })
  const shown = found?.problems.map(describeSchemaProblem) ?? []
  const more = (found?.count ?? 0) - shown.length
  return more > 0 ? [...shown, `${more} more problems`] : shown
}
