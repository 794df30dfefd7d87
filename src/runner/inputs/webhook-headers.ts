/** Reads the webhook's HTTP headers. Error messages never show headers, which may be secrets. */
import { z } from 'zod/mini'
import { readParts } from './json-parts.ts'
import { describePlace, findJsonFault } from './json-problem.ts'
import { addProblems, changed, isOneLine, linesOf } from './text.ts'

/** Reads HTTP headers from lines such as `Name: value`, or from one JSON object of strings. */
export const webhookHeaders = changed(z.string(), (text, context) => {
  const { entries, problems } = readHeaders(text)
  const all = [...problems, ...entries.flatMap(findEntryProblems), ...findRepeatedNames(entries)]
  addProblems(context, all)
  if (all.length > 0) return z.NEVER
  // Object.fromEntries can create a member with the name `__proto__`. An assignment cannot.
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]))
})

// A header name is a token as HTTP defines tokens (RFC 9110, section 5.6.2).
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

/** Compares header names without case, as HTTP does. Error messages do not show the names. */
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

/** A header and a description of its place in the text. */
interface HeaderEntry {
  name: string
  value: string
  place: string
}

interface HeaderReading {
  entries: HeaderEntry[]
  problems: string[]
}

export function readHeaders(text: string): HeaderReading {
  return isJsonForm(text) ? readHeaderObject(text) : readHeaderLines(text)
}

/** Returns true if headers are written as JSON. A header name cannot begin with a brace. */
export function isJsonForm(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** Splits a header at its first colon. Returns undefined if there is no colon. */
export function splitHeader(line: string): { name: string; value: string } | undefined {
  const colon = line.indexOf(':')
  if (colon === -1) return undefined
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
}

/** Reads one header from each line. Skips blank lines, but counts them in line numbers. */
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

/** Reads headers from one JSON object of strings, such as the output of `toJSON`. */
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
    // A number is an invalid value. The number is kept, because it may be a secret to mask.
    if (typeof value === 'string' || typeof value === 'number') {
      reading.entries.push({ name, value: String(value), place })
    }
  }
  return reading
}

/** Returns all members of a JSON object, even if names repeat. JSON.parse would drop members. */
function membersOf(text: string): { name: string; value: unknown }[] {
  let end = 0
  return Array.from(readParts(text), (part) => {
    // Between two values of an object, the only string is the name of the second value.
    const name = text.slice(text.indexOf('"', end), text.lastIndexOf('"', part.start - 1) + 1)
    end = part.start + part.text.length
    return { name: JSON.parse(name) as string, value: JSON.parse(part.text) as unknown }
  })
}
