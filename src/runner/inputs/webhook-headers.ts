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
  const headers: [name: string, value: string][] = []
  const problems: string[] = []
  // The line of each name. HTTP compares names without case.
  const lineOfName = new Map<string, number>()
  for (const [index, line] of linesOf(text).entries()) {
    if (line.trim() === '') continue
    const number = index + 1
    const header = splitHeader(line)
    const first = header && lineOfName.get(header.name.toLowerCase())
    const found = header ? findProblems(header, first) : ['expected "Name: value", found no colon']
    problems.push(...found.map((problem) => `line ${number}: ${problem}`))
    if (!header) continue
    lineOfName.set(header.name.toLowerCase(), first ?? number)
    headers.push([header.name, header.value])
  }
  addProblems(context, problems)
  // Object.fromEntries can create a member with the name `__proto__`. An assignment cannot.
  return problems.length > 0 ? z.NEVER : Object.fromEntries(headers)
})

interface Header {
  name: string
  value: string
}

// A header name is a token as HTTP defines tokens (RFC 9110, section 5.6.2).
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Finds the problems of a header. `first`: the line of an earlier header with the same name. */
function findProblems({ name, value }: Header, first: number | undefined): string[] {
  const problems: string[] = []
  if (!token.test(name)) {
    problems.push(
      'expected a header name of letters, digits and hyphens before the value, found something else or nothing',
    )
  }
  if (value === '') {
    problems.push(
      'expected a value, found none; if the value comes from a secret, check that the secret is set',
    )
  }
  if (!isOneLine(value)) {
    problems.push('expected a value without control characters, found one')
  }
  if (first !== undefined) {
    problems.push(
      `expected each header name once (case does not count), found the name of line ${first}; remove one of the two`,
    )
  }
  return problems
}

/** Returns true if the text may be JSON. A header name cannot begin with a brace. */
export function beginsWithBrace(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** Splits a header at its first colon. Returns undefined if there is no colon. */
export function splitHeader(line: string): Header | undefined {
  const colon = line.indexOf(':')
  if (colon === -1) return undefined
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
}
