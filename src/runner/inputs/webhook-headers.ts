/** Reads the webhook's HTTP headers. Error messages never show headers, which may be secrets. */
import { z } from 'zod/mini'
import { addProblems, changed, isOneLine, linesOf, refuse } from './text.ts'

/** Reads HTTP headers from lines such as `Name: value`. */
export const webhookHeaders = changed(z.string(), (text, context) => {
  if (beginsWithBrace(text)) {
    return refuse(
      context,
      'expected one "Name: value" on each line, for example X-Team: reports, found a text that begins with "{"; write each header on its own line, without braces and quotes',
    )
  }
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

/** Returns true if the text may be JSON. A header name cannot begin with a brace. */
export function beginsWithBrace(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** Splits a header at its first colon. Returns undefined if there is no colon. */
export function splitHeader(line: string): { name: string; value: string } | undefined {
  const colon = line.indexOf(':')
  if (colon === -1) return undefined
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
}

/** Reads one header from each line. Skips blank lines, but counts them in line numbers. */
function readHeaders(text: string): HeaderReading {
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
