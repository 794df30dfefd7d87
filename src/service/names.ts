/** The rules for names and ids that the service accepts. Inputs and responses follow the same rules. */

export const maxIdLength = 200

/**
 * Returns the reason why a name or an execution id cannot become one segment of a URL path, or
 * undefined. Refuses `.` and `..`, because these segments lead to another route, even if they are
 * percent-encoded. Refuses a lone surrogate, because a URL cannot contain a lone surrogate. Source:
 * docs/contributing/service.md, "Limits".
 */
export function findSegmentProblem(name: string): string | undefined {
  if (name === '') return 'expected a name, found an empty text'
  if (/\p{Cc}/u.test(name)) return 'expected a name without control characters, found one'
  if (name === '.' || name === '..') return `"${name}" is not a name; give one other than . and ..`
  if (name.length > maxIdLength) {
    return `expected at most ${maxIdLength} characters, found ${name.length}`
  }
  if (!name.isWellFormed()) return 'expected well-formed Unicode, found half of a surrogate pair'
  return undefined
}

/** Returns the 32 digits of a UUID (RFC 9562, section 4), or undefined for any other text. */
export function uuidOf(id: string): string | undefined {
  const digits = id.trim().replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined
}

/** The allowed names of a project. Source: docs/contributing/service.md, "Limits". */
export const projectNamePattern = /^[a-z0-9][a-z0-9_-]*$/

// How many characters of an error text are searched. Documented texts have one or two sentences.
const maxLength = 4_000

/**
 * Returns true if the service refused a new project because the project exists. The service has no
 * code for this case. It sends a 400 with a text, and may change the wording. One sentence of the
 * text must contain "already exists" and the name as a whole word. Source:
 * docs/contributing/service.md, "Create a project".
 */
export function saysProjectExists(
  { status, words }: { status: number; words: string },
  name: string,
): boolean {
  if (status !== 400) return false
  // The name must not be part of a longer word, such as `reports-2` or `python-3.12`.
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_./@-])${name}(?![\\p{L}\\p{N}_/@-]|\\.[\\p{L}\\p{N}])`,
    'u',
  )
  const sentences = words.slice(0, maxLength).split(/[.!?](?=\s|$)|[;\r\n]/)
  return sentences.some((sentence) => /\balready exists\b/i.test(sentence) && word.test(sentence))
}
