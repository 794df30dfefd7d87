/** Finds credentials in the raw text of webhook headers. */
import { minSecretLength } from './secret.ts'
import { linesOf } from './text.ts'
import { isJsonForm, readHeaders, splitHeader } from './webhook-headers.ts'

/** Returns the credentials in headers, and texts in unreadable headers that may be credentials. */
export function findHeaderSecrets(text: string): string[] {
  const { entries, problems } = readHeaders(text)
  const known = entries.flatMap(({ name, value }) =>
    // The runner masks each line separately, so each line of a value needs a mask.
    [value, ...linesOf(value)].flatMap((part) => secretsOf(name, part.trim())),
  )
  return problems.length > 0 ? [...known, ...guessesIn(text)] : known
}

/** Returns the credentials in a header's value. Returns `[]` if the header seems to have none. */
function secretsOf(name: string, value: string): string[] {
  const rest = schemeWords.exec(value)?.groups?.['rest']
  if (rest !== undefined) return [value, rest]
  if (!namesCredential(name)) return []
  // The first word may be an unknown authentication scheme, so the rest is masked separately.
  const behind = behindFirstWord(value)
  return behind.length >= minSecretLength ? [value, behind] : [value]
}

/** Returns texts in unreadable headers that may be header values and are long enough to mask. */
function guessesIn(text: string): string[] {
  const isJson = isJsonForm(text)
  const lines = linesOf(text).filter((line) => isJson || !splitHeader(line))
  const values = lines.flatMap((line) => [line, splitHeader(line)?.value ?? line])
  // Matches strings and words. A string without a closing quote extends to the end of the text. If
  // such a string were skipped, a search from each later quote would take quadratic time.
  const parts = isJson ? text.matchAll(/"((?:[^"\\]|\\.)*)"?|[^\s":,[\]{}]+/gs) : []
  return [...values, ...Array.from(parts, ([word, content]) => content ?? word)]
    .map((value) => value.trim())
    .flatMap((value) => [value, behindFirstWord(value)])
    .filter(({ length }) => length >= minSecretLength)
}

/** Returns the text after the first word, or '' if the text has only one word. */
function behindFirstWord(value: string): string {
  return /^\S+\s+(\S.*)$/s.exec(value)?.[1] ?? ''
}

// These words indicate a credential only as whole words of a name: `key`, but not `keyboard`.
const credentialWords = new Set(
  'auth oauth authn authz key keys apikey pass pwd passwd passcode passphrase pin otp pat sig sign hmac jwt sid csrf xsrf'.split(
    ' ',
  ),
)
// A header name indicates a credential if the name contains one of these texts.
const credentialParts =
  /authoriz|authentic|cookie|token|secret|password|credential|session|signature|bearer/i
const compoundKeys =
  /(?:api|app|access|account|auth|client|encryption|function|license|master|private|public|secret|service|shared|signing|subscription|user)keys?$|(?:^x|api|user|basic)auth$/i

/** Matches a credential after `Bearer` (RFC 9110, section 11.1) or a similar word. */
const schemeWords =
  /^(?:bearer|basic|token|digest|negotiate|ntlm|hawk|mac|dpop|oauth|jwt|hmac|hoba|mutual|vapid|scram-[a-z0-9-]+|aws4-[a-z0-9-]+|api-?key|apitoken|api-token|key|secret|signature|sharedkey(?:lite)?|sharedaccesssignature|privatetoken|private-token|geniekey|googlelogin|ssws|splunk|access-?token)\s+(?<rest>\S.*)$/is

function namesCredential(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').split(/[^A-Za-z0-9]+/)
  return (
    credentialParts.test(name) ||
    words.some((word) => credentialWords.has(word.toLowerCase().replace(/\d+$/, ''))) ||
    name.split(/[^A-Za-z0-9]+/).some((word) => compoundKeys.test(word))
  )
}
