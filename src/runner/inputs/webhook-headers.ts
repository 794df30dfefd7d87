/** Reads the webhook's HTTP headers. Error messages never show headers, which may be secrets. */
import { InputProblem, isOneLine, type Reading } from './readings.ts'

/** HTTP headers from lines such as `Name: value`. */
export const webhookHeaders: Reading<Record<string, string>> = (text) => {
  if (beginsWithBrace(text)) {
    throw new InputProblem(
      'expected one "Name: value" on each line, for example X-Team: reports, found a text that begins with "{"; write each header on its own line, without braces and quotes',
    )
  }
  const headers: Header[] = []
  const problems: string[] = []
  for (const [index, line] of linesOf(text).entries()) {
    if (line.trim() === '') continue
    const header = splitHeader(line)
    const problem = header ? findProblem(header, headers) : 'expected "Name: value", found no colon'
    if (problem !== undefined) problems.push(`line ${index + 1}: ${problem}`)
    else if (header) headers.push(header)
  }
  if (problems.length > 0) throw new InputProblem(problems)
  // Object.fromEntries can create a member with the name `__proto__`. An assignment cannot.
  return Object.fromEntries(headers.map(({ name, value }) => [name, value]))
}

interface Header {
  name: string
  value: string
}

// A header name is a token as HTTP defines tokens (RFC 9110, section 5.6.2).
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Returns the first problem of a header, or undefined. */
function findProblem({ name, value }: Header, earlier: readonly Header[]): string | undefined {
  if (!token.test(name)) {
    return 'expected a header name of letters, digits and hyphens before the value, found something else or nothing'
  }
  if (value === '') {
    return 'expected a value, found none; if the value comes from a secret, check that the secret is set'
  }
  if (/authorization$/i.test(name) && isSchemeAlone(value)) {
    return 'expected credentials after the scheme, found none; if they come from a secret, check that the secret is set'
  }
  if (!isOneLine(value)) return 'expected a value without control characters, found one'
  const isEqual = (other: Header) => other.name.toLowerCase() === name.toLowerCase()
  return earlier.some(isEqual)
    ? 'expected each header name once (case does not count), found it a second time; remove one of the two'
    : undefined
}

/** Splits a text into lines. CRLF, CR and LF each end one line. */
function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/)
}

/** Returns true if the text may be JSON. A header name cannot begin with a brace. */
function beginsWithBrace(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** Splits a header at its first colon. Returns undefined if there is no colon. */
function splitHeader(line: string): Header | undefined {
  const colon = line.indexOf(':')
  if (colon === -1) return undefined
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
}

/** Matches the name of a header whose value is a credential. Does not match `X-Author`. */
const credentialName =
  /auth(?!or\b)|bearer|cookie|credential|csrf|hmac|jwt|key|\b(?:otp|pass|pat|pin|pwd|sid|sig)\b|pass(?:code|phrase|w)|secret|session|signature|token/i

/** Matches a value that begins with an authentication scheme (RFC 9110, section 11.1). */
const schemeWord =
  /^(?:api-?key|aws4-[\w-]+|basic|bearer|digest|dpop|hawk|hmac|mac|negotiate|ntlm|oauth|sharedkey|ssws|token)\s/i

/** Returns true for a scheme without credentials. An unset secret leaves `Bearer`. */
function isSchemeAlone(value: string): boolean {
  return !/\s/.test(value) && schemeWord.test(`${value} `)
}

/** The minimum length of a guess. A shorter mask would also hide parts of other words. */
const minGuess = 6

/** Returns the credentials in headers, and the lines that cannot be read as headers. */
export function findHeaderSecrets(text: string): string[] {
  const isUnreadable = beginsWithBrace(text)
  const guesses = linesOf(text).flatMap((line) => {
    const header = isUnreadable ? undefined : splitHeader(line)
    if (!header) return line.trim()
    const { name, value } = header
    if (!credentialName.test(name) && !schemeWord.test(value)) return []
    // A mask of the scheme would hide this word in all texts of the job.
    if (isSchemeAlone(value)) return []
    // The first word may be a scheme, so the rest is masked separately.
    return [value, value.replace(/^\S+\s+/, '')]
  })
  return guesses.filter(({ length }) => length >= minGuess)
}
