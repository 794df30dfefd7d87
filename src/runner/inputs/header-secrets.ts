/** Finds credentials in webhook headers that are not parsed yet. */
import { minSecretLength } from './secret.ts'
import { linesOf } from './text.ts'
import { isJsonForm, readHeaders, splitHeader } from './webhook-headers.ts'

/** Returns the values of headers that are credentials, or may be one if headers cannot be read. */
export function findHeaderSecrets(text: string): string[] {
  const { entries, problems } = readHeaders(text)
  const known = entries.flatMap(({ name, value }) =>
    // A mask works line by line.
    [value, ...linesOf(value)].flatMap((part) => secretsOf(name, part.trim())),
  )
  return problems.length > 0 ? [...known, ...guessesIn(text)] : known
}

/** Others are configuration, and stand in the workflow file for all to read. */
function secretsOf(name: string, value: string): string[] {
  const rest = schemeWords.exec(value)?.groups?.['rest']
  if (rest !== undefined) return [value, rest]
  if (!namesCredential(name)) return []
  // A first word that is no known scheme may be an unknown one.
  const behind = behindFirstWord(value)
  return behind.length >= minSecretLength ? [value, behind] : [value]
}

/** Returns all texts of unreadable headers that may be values and are long enough to mask. */
function guessesIn(text: string): string[] {
  const isJson = isJsonForm(text)
  const lines = linesOf(text).filter((line) => isJson || !splitHeader(line))
  const values = lines.flatMap((line) => [line, splitHeader(line)?.value ?? line])
  // Strings and words. A string that does not end goes to the end of the text: looked for again from
  // each quote in it, its end would take quadratic time.
  const parts = isJson ? text.matchAll(/"((?:[^"\\]|\\.)*)"?|[^\s":,[\]{}]+/gs) : []
  return [...values, ...Array.from(parts, ([word, content]) => content ?? word)]
    .map((value) => value.trim())
    .flatMap((value) => [value, behindFirstWord(value)])
    .filter(({ length }) => length >= minSecretLength)
}

/** Returns the text after the first word, or '' if there is only one word. */
function behindFirstWord(value: string): string {
  return /^\S+\s+(\S.*)$/s.exec(value)?.[1] ?? ''
}

// These words count only as whole words of a name, because harmless words contain them (author,
// keyboard).
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

/** Words before a credential, such as `Bearer` (RFC 9110, section 11.1, and words of services). */
const schemeWords =
  /^(?:bearer|basic|token|digest|negotiate|ntlm|hawk|mac|dpop|oauth|jwt|hmac|hoba|mutual|vapid|scram-[a-z0-9-]+|aws4-[a-z0-9-]+|api-?key|apitoken|api-token|key|secret|signature|sharedkey(?:lite)?|sharedaccesssignature|privatetoken|private-token|geniekey|googlelogin|ssws|splunk|access-?token)\s+(?<rest>\S.*)$/is

/** Returns true if the name of a header says that its value is a credential. */
function namesCredential(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').split(/[^A-Za-z0-9]+/)
  return (
    credentialParts.test(name) ||
    words.some((word) => credentialWords.has(word.toLowerCase().replace(/\d+$/, ''))) ||
    name.split(/[^A-Za-z0-9]+/).some((word) => compoundKeys.test(word))
  )
}
