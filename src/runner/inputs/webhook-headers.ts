/** HTTP headers, in either of their two forms. Their content may be a secret and is never shown. */
import { z } from 'zod/mini'
import { readParts } from './json-parts.ts'
import { describePlace, findJsonFault } from './json-problem.ts'
import { addProblems, changed, isOneLine, linesOf } from './text.ts'

/** HTTP headers, as lines `Name: value` or as one JSON object of strings. */
export const webhookHeaders = changed(z.string(), (text, context) => {
  const { entries, problems } = readHeaders(text)
  const all = [...problems, ...entries.flatMap(findEntryProblems), ...findRepeatedNames(entries)]
  addProblems(context, all)
  if (all.length > 0) return z.NEVER
  // Unlike an assignment, Object.fromEntries makes an own member of `__proto__` too.
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]))
})

// A token as HTTP defines it (RFC 9110, section 5.6.2).
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

function findEntryProblems({ name, value, place }: HeaderEntry): string[] {
  const problems: string[] = []
  if (!token.test(name)) {
    problems.push(
      `${place}: expected a header name of letters, digits and hyphens before the value, found something else or nothing`,
    )
  }
  if (value.trim() === '') {
    problems.push(
      `${place}: expected a value, found none; if the value comes from a secret, check that the secret is set`,
    )
  }
  if (!isOneLine(value)) {
    problems.push(`${place}: expected a value without control characters, found one`)
  }
  return problems
}

/** HTTP compares names without case. The names themselves are not shown. */
function findRepeatedNames(entries: readonly HeaderEntry[]): string[] {
  const firstPlaces = new Map<string, string>()
  const problems: string[] = []
  for (const { name, place } of entries) {
    const first = firstPlaces.get(name.toLowerCase())
    if (first === undefined) firstPlaces.set(name.toLowerCase(), place)
    else {
      problems.push(
        `${place}: expected each header name once (case does not count), found the name of ${first}; remove one of the two`,
      )
    }
  }
  return problems
}

/** A header as given, and its place in words. */
interface HeaderEntry {
  name: string
  value: string
  place: string
}

/** The headers of a text, and its problems. */
interface HeaderReading {
  entries: HeaderEntry[]
  problems: string[]
}

export function readHeaders(text: string): HeaderReading {
  return isJsonForm(text) ? readHeaderObject(text) : readHeaderLines(text)
}

/**
 * Returns true if a text is the JSON form of the headers. No header name can begin with a brace.
 */
export function isJsonForm(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** Splits at the first colon only. Returns undefined if there is none. */
export function splitHeader(line: string): { name: string; value: string } | undefined {
  const colon = line.indexOf(':')
  if (colon === -1) return undefined
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
}

/** Reads the form with one `Name: value` in each line. Blank lines count for line numbers. */
function readHeaderLines(text: string): HeaderReading {
  const reading: HeaderReading = { entries: [], problems: [] }
  for (const [index, line] of linesOf(text).entries()) {
    const place = `line ${index + 1}`
    const header = splitHeader(line)
    if (header) reading.entries.push({ ...header, place })
    else if (line.trim() !== '') {
      reading.problems.push(`${place}: expected "Name: value", found no colon`)
    }
  }
  return reading
}

const expected = 'expected lines "Name: value" or one JSON object of strings'

/** Reads the form with one JSON object of strings, such as `toJSON` writes it. */
function readHeaderObject(text: string): HeaderReading {
  const fault = findJsonFault(text)
  if (fault !== undefined) {
    const found = `a text that starts like an object and is not valid JSON, ${describePlace(text, fault)}`
    return { entries: [], problems: [`${expected}, found ${found}`] }
  }
  const reading: HeaderReading = { entries: [], problems: [] }
  for (const [index, { name, value }] of membersOf(text).entries()) {
    const place = `entry ${index + 1}`
    if (typeof value !== 'string') {
      reading.problems.push(`${place}: expected a string as value, found something else`)
    }
    // A number is refused, but it may still be a secret.
    if (typeof value === 'string' || typeof value === 'number') {
      reading.entries.push({ name, value: String(value), place })
    }
  }
  return reading
}

/** Returns all members of a JSON object. JSON.parse would keep only the last one of equal names. */
function membersOf(text: string): { name: string; value: unknown }[] {
  let end = 0
  return Array.from(readParts(text), (part) => {
    // The name is the only string between the member before and the value.
    const name = text.slice(text.indexOf('"', end), text.lastIndexOf('"', part.start - 1) + 1)
    end = part.start + part.text.length
    return { name: JSON.parse(name) as string, value: JSON.parse(part.text) as unknown }
  })
}
