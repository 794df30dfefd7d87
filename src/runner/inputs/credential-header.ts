/** Which webhook headers carry credentials: by their name, or by the form of their value. */

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
  return schemeWords.exec(value.trim())?.groups?.['rest']?.trim()
}
