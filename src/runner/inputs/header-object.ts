import type { HeaderReading } from './header-line.ts'
import { locateJsonProblem } from './json-problem.ts'

const expected = 'expected lines "Name: value" or one JSON object of strings'

/** Reads the form with one JSON object of strings, such as `toJSON` writes it. */
export async function readHeaderObject(text: string): Promise<HeaderReading> {
  let headers: object
  try {
    // The text starts with a brace: it is an object or no JSON.
    headers = JSON.parse(text) as object
  } catch (error) {
    return { entries: [], problems: [await describeFailure(text, error)] }
  }
  const reading: HeaderReading = { entries: [], problems: [] }
  for (const [index, [name, value]] of Object.entries(headers).entries()) {
    const place = `entry ${index + 1}`
    if (typeof value === 'string') reading.entries.push({ name, value, place })
    else reading.problems.push(`${place}: expected a string as value, found something else`)
  }
  if (reading.problems.length === 0 && hasRepeatedKey(text, reading.entries.length)) {
    reading.problems.push('the JSON object has the same key twice; give each header once')
  }
  return reading
}

async function describeFailure(text: string, failure: unknown): Promise<string> {
  const place = await locateJsonProblem(text, failure)
  const where = place ? ` (line ${place.line}, column ${place.column})` : ''
  return `${expected}, found a text that starts like an object and is not valid JSON${where}`
}

/** JSON.parse keeps the last of equal keys. Where all values are strings, each entry is two. */
function hasRepeatedKey(json: string, entries: number): boolean {
  const strings = json.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return strings.length !== entries * 2
}
