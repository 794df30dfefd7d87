/** The seed's JSON text, given inline or in a file. It goes on unchanged. */
import { z } from 'zod/mini'
import { describeFault, findJsonFault, kindAt } from './json-problem.ts'
import { changed, refuse } from './text.ts'
import { textFile } from './text-file.ts'

/**
 * The seed's JSON text. It goes on unchanged, character for character: parsing and writing it
 * again would alter numbers such as `12345678901234567890`, `1.0` and `1e400`.
 */
export const seedText = changed(z.string(), (given, context) => {
  // Some editors put a byte order mark before a text. It is no part of the JSON.
  const text = given.replace(/^\uFEFF/, '')
  const problem = findSeedProblem(text)
  return problem === undefined ? text : refuse(context, problem + remedyFor(text))
})

/** The same from a file, wherever the job can read it, such as in the runner's temp folder. */
export function seedFile(workspace: string) {
  return changed(textFile(workspace), ({ text, place }, context) => {
    const problem = findSeedProblem(text)
    return problem === undefined ? text : refuse(context, `${place}: ${problem}`)
  })
}

/** What keeps a text from being a seed ("Start request": an object), or undefined. */
function findSeedProblem(text: string): string | undefined {
  const expected = 'expected a JSON object, found'
  const fault = findJsonFault(text)
  if (fault !== undefined) return `${expected} ${describeFault(text, fault)}`
  const start = text.search(/\S/)
  return text[start] === '{' ? undefined : `${expected} ${kindAt(text, start)}`
}

/** What helps where a value was put into a text as it is; empty where the text is JSON. */
export function remedyFor(text: string): string {
  return findJsonFault(text) === undefined
    ? ''
    : '; if a value comes from an expression, put it in with toJSON, without quotes around it: {"name": ${{ toJSON(inputs.name) }}}'
}
