/**
 * Finds the parts of an address that give access: the credentials of a webhook, and the signature of
 * a link. A part that other texts may contain is no secret, because its mask would hide those texts.
 */

/** The minimum length of a part that is a credential by its name. */
const minNamed = 6

/** The minimum length of a part that may be a credential. Such a part also has a digit. */
const minUnnamed = 20

/** Matches the name of a parameter whose value is a part of a signature. */
const signatureName = /\bsig\b|signature|credential|token|key|policy/i

/**
 * Matches the name of a parameter that is a header of the answer or a time of validity (S3, Google,
 * Azure). Results and logs contain such values, for example `text/csv; charset=utf-8`.
 */
const ordinaryName = /^(response-.+|rsc[cdelt]|st|se|skt|ske)$/i

/** Returns user, password, path and the values of the query, if they may be credentials. */
export function findWebhookSecrets(address: string): string[] {
  const { path, parameters } = parse(address.trim())
  const { username = '', password = '' } = URL.parse(address.trim()) ?? {}
  const values = [username, path, ...parameters.map(({ value }) => value)]
  return [...spellingsOf(password, isNamed), ...values.flatMap((value) => spellingsOf(value))]
}

/** Returns the values in a link's query that are its signature, or that may be credentials. */
export function findLinkSecrets(link: string): string[] {
  return parse(link)
    .parameters.filter(({ name }) => !ordinaryName.test(name))
    .flatMap(({ name, value }) =>
      spellingsOf(value, signatureName.test(name) ? isNamed : isUnnamed),
    )
}

/** Splits an address. Decodes nothing, because texts quote the address as it was sent. */
function parse(address: string) {
  const [, path = '', query = ''] = /^[^:]+:\/\/[^/?#]*\/?([^?#]*)\??([^#]*)/.exec(address) ?? []
  const parameters = query.split('&').map((parameter) => {
    const equals = parameter.indexOf('=')
    return { name: parameter.slice(0, Math.max(0, equals)), value: parameter.slice(equals + 1) }
  })
  return { path, parameters }
}

/** Returns a part as it stands and decoded, without `&`, which no mask may contain. */
function spellingsOf(part: string, isSecret = isUnnamed): string[] {
  return [part, decoded(part)].flatMap((text) => text.split('&')).filter(isSecret)
}

function isNamed(part: string): boolean {
  return part.length >= minNamed
}

function isUnnamed(part: string): boolean {
  const text = decoded(part)
  return text.length >= minUnnamed && /\d/.test(text)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
