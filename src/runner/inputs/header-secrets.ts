/** The parts of webhook headers that are credentials, found in a text that nobody has parsed yet. */
import type { FoundSecrets } from './secret.ts'
import { linesOf } from './text.ts'
import { isJsonForm, splitHeader } from './webhook-headers.ts'

// In a credential, a first word that is no known scheme may be an unknown one.
const minLengthBehindWord = 6
// Of headers that can't be read: shorter parts garble the log.
const minGuessLength = 4

/** The values of headers that are credentials; of headers that can't be read, all that may be one. */
export function findHeaderSecrets(text: string): FoundSecrets {
  const guesses = guessesIn(text).filter((value) => value.length >= minGuessLength)
  return { secrets: (headersIn(text) ?? []).flatMap(secretsOf), guesses }
}

interface Header {
  name: string
  value: string
}

/** Others are configuration, and stand in the workflow file for all to read. */
function secretsOf({ name, value }: Header): string[] {
  const rest = afterSchemeWord(value)
  if (rest !== undefined) return [value, rest]
  if (!namesCredential(name)) return []
  const behind = behindFirstWord(value) ?? ''
  return behind.length >= minLengthBehindWord ? [value, behind] : [value]
}

/** Undefined where the text has neither of the two forms. */
function headersIn(text: string): Header[] | undefined {
  if (!isJsonForm(text)) return linesOf(text).flatMap((line) => splitHeader(line) ?? [])
  try {
    return Object.entries(JSON.parse(text) as object).flatMap(([name, value]) =>
      stringsIn(value).map((part) => ({ name, value: part })),
    )
  } catch {
    return undefined
  }
}

/** A header's value is one string; whatever else is there is refused, and its strings masked alike. */
function stringsIn(value: unknown): string[] {
  const strings: string[] = []
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string' || typeof part === 'number') strings.push(String(part))
    return part
  })
  return strings.flatMap((part) => [part, ...linesOf(part)]).map((part) => part.trim())
}

/** Of headers that can't be read, all that may be a part of a value. */
function guessesIn(text: string): string[] {
  if (isJsonForm(text) && headersIn(text)) return []
  const lines = linesOf(text).map((line) => line.trim())
  const values = isJsonForm(text)
    ? lines.flatMap((line) => [line, splitHeader(line)?.value ?? line])
    : lines.filter((line) => !splitHeader(line))
  // A string that does not end goes to the end of the text: looked for again from each quote in it,
  // its end would take quadratic time.
  const strings = isJsonForm(text) ? text.matchAll(/"((?:[^"\\]|\\.)*)"?/gs) : []
  const quoted = Array.from(strings, ([, content = '']) => content.trim())
  return [...values, ...quoted].flatMap((value) => [value, behindFirstWord(value) ?? ''])
}

function behindFirstWord(value: string): string | undefined {
  return /^\S+\s+(\S.*)$/s.exec(value)?.[1]
}

// As words of a name: short ones, which are parts of harmless words, too (author, keyboard, compass).
const credentialWords = new Set(
  'auth oauth authn authz key keys apikey pass pwd passwd passcode passphrase pin otp pat sig sign hmac jwt sid csrf xsrf'.split(
    ' ',
  ),
)
// Anywhere in a name.
const credentialParts =
  /authoriz|authentic|cookie|token|secret|password|credential|session|signature|bearer/i
const compoundKeys =
  /(?:api|app|access|account|auth|client|encryption|function|license|master|private|public|secret|service|shared|signing|subscription|user)keys?$|(?:^x|api|user|basic)auth$/i

/** What is sent before a credential, such as `Bearer` (RFC 9110, 11.1, and what services made up). */
const schemeWords =
  /^(?:bearer|basic|token|digest|negotiate|ntlm|hawk|mac|dpop|oauth|jwt|hmac|hoba|mutual|vapid|scram-[a-z0-9-]+|aws4-[a-z0-9-]+|api-?key|apitoken|api-token|key|secret|signature|sharedkey(?:lite)?|sharedaccesssignature|privatetoken|private-token|geniekey|googlelogin|ssws|splunk|access-?token)\s+(?<rest>\S.*)$/is

/** Whether a header's name says that its value is a credential. */
export function namesCredential(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').split(/[^A-Za-z0-9]+/)
  return (
    credentialParts.test(name) ||
    words.some((word) => credentialWords.has(word.toLowerCase().replace(/\d+$/, ''))) ||
    name.split(/[^A-Za-z0-9]+/).some((word) => compoundKeys.test(word))
  )
}

/** What follows a scheme word; undefined where the value begins with none. */
export function afterSchemeWord(value: string): string | undefined {
  return schemeWords.exec(value.trim())?.groups?.['rest']
}
