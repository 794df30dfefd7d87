/** Finds credentials in the raw text of webhook headers. */
import { linesOf } from './text.ts'
import { beginsWithBrace, splitHeader } from './webhook-headers.ts'

/** Matches the name of a header whose value is a credential. Does not match `X-Author`. */
const credentialName =
  /auth(?!or\b)|bearer|cookie|credential|csrf|hmac|jwt|key|\b(?:otp|pass|pat|pin|pwd|sid|sig)\b|pass(?:code|phrase|w)|secret|session|signature|token/i

/** Matches a value that begins with an authentication scheme (RFC 9110, section 11.1). */
const schemeWord =
  /^(?:api-?key|aws4-[\w-]+|basic|bearer|digest|dpop|hawk|hmac|mac|negotiate|ntlm|oauth|sharedkey|ssws|token)\s/i

/** The minimum length of a guess. A shorter mask would also hide parts of other words. */
const minGuess = 6

/** Returns the credentials in headers, and the lines that cannot be read as headers. */
export function findHeaderSecrets(text: string): string[] {
  const isUnreadable = beginsWithBrace(text)
  return linesOf(text).flatMap((line) => {
    const header = isUnreadable ? undefined : splitHeader(line)
    if (!header) return longEnough(line.trim())
    const { name, value } = header
    if (!credentialName.test(name) && !schemeWord.test(value)) return []
    // The first word may be a scheme, so the rest is masked separately.
    return [value, ...longEnough(value.replace(/^\S+\s+/, ''))]
  })
}

function longEnough(guess: string): string[] {
  return guess.length >= minGuess ? [guess] : []
}
