import { z } from 'zod'
import { locateJsonProblem } from './json-problem.ts'
import { refuse } from './text.ts'

/**
 * The seed's JSON text. It goes on unchanged, character for character: parsing and writing it
 * again would alter numbers such as `12345678901234567890`, `1.0` and `1e400`.
 */
export const seedText = z.string().transform(async (text, context) => {
  const problem = await findSeedProblem(text)
  return problem === undefined ? text : refuse(context, problem)
})

/** What keeps a text from being a seed ("Start request": an object), or undefined. */
export async function findSeedProblem(text: string): Promise<string | undefined> {
  try {
    const found = kindOf(JSON.parse(text))
    return found === 'an object' ? undefined : `expected a JSON object, found ${found}`
  } catch (error) {
    return `expected a JSON object, found ${await describeJsonProblem(text, error)}`
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Shows one character of the seed at most: it may hold a secret. */
async function describeJsonProblem(text: string, failure: unknown): Promise<string> {
  const place = await locateJsonProblem(text, failure)
  if (!place) return 'a text that is not valid JSON'
  const where = `line ${place.line}, column ${place.column}`
  const [character] = text.slice(place.offset, place.offset + 2)
  if (character === undefined) return `a text that ends too early, at ${where}`
  const what = /[\p{C}\p{Z}]/u.test(character)
    ? 'white space or control character'
    : JSON.stringify(character)
  return `a text with an unexpected ${what} at ${where}`
}
