import { z } from 'zod'
import { isJsonForm, readHeaderLines, type HeaderEntry } from './header-line.ts'
import { readHeaderObject } from './header-object.ts'
import { isOneLine } from './text.ts'

// An annotation has room for some problems only.
const shownProblems = 10

/** HTTP headers, as lines `Name: value` or as one JSON object of strings. */
export const webhookHeaders = z.string().transform(async (text, context) => {
  const { entries, problems } = isJsonForm(text)
    ? await readHeaderObject(text)
    : readHeaderLines(text)
  const all = [...problems, ...entries.flatMap(findEntryProblems), ...findRepetitions(entries)]
  for (const problem of all.slice(0, shownProblems)) context.addIssue(problem)
  if (all.length > shownProblems) context.addIssue(`${all.length - shownProblems} more problems`)
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
    problems.push(`${place}: expected a value, found none; is the secret it comes from set?`)
  }
  if (!isOneLine(value)) {
    problems.push(`${place}: expected a value without control characters, found one`)
  }
  return problems
}

function findRepetitions(entries: readonly HeaderEntry[]): string[] {
  const places = new Map<string, string>()
  return entries.flatMap(({ name, place }) => {
    const earlier = places.get(name.toLowerCase())
    if (earlier !== undefined) {
      return [`${place}: the header of ${earlier} again (case makes no difference); give it once`]
    }
    places.set(name.toLowerCase(), place)
    return []
  })
}
