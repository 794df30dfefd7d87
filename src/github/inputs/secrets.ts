import { readText, type Environment } from './environment.ts'
import { isJsonForm, linesOf, splitHeader } from './header-line.ts'

// The runner replaces a mask wherever it occurs: shorter ones would garble the log.
const shortestHeaderMask = 4

/**
 * All values that must never be seen: credentials, and the values of webhook headers. It works
 * on the raw texts, since the report of an input's problem comes after the masks.
 */
export function readSecrets(environment: Environment = process.env): string[] {
  const credentials = ['api-token', 'api-key'].flatMap((name) =>
    linesOf(readText(environment, name) ?? '').map((line) => line.trim()),
  )
  const headers = headerSecrets(readText(environment, 'webhook-headers') ?? '')
  return [
    ...new Set([
      ...credentials.filter((value) => value !== ''),
      ...passwordOf(readText(environment, 'webhook')),
      ...headers.filter((value) => value.length >= shortestHeaderMask),
    ]),
  ]
}

function headerSecrets(text: string): string[] {
  const values = isJsonForm(text) ? jsonValues(text) : linesOf(text).map(lineSecret)
  return values.flatMap((value) => [value, ...afterSchemeWord(value)])
}

/** What follows the first colon; without a colon any part of the line may be the secret. */
function lineSecret(line: string): string {
  return splitHeader(line)?.value ?? line.trim()
}

/** The secret of `Bearer abc` is seen without its scheme too. */
function afterSchemeWord(value: string): string[] {
  const rest = /\s+(.+)/s.exec(value)?.[1]
  return rest === undefined ? [] : [rest]
}

/** Strings anywhere in the JSON form; of a broken one, all that may be a part of a value. */
function jsonValues(text: string): string[] {
  try {
    const values: string[] = []
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === 'string' || typeof value === 'number') values.push(String(value))
    })
    return values.flatMap((value) => [value, ...linesOf(value)]).map((value) => value.trim())
  } catch {
    const quoted = text.match(/"(?:[^"\\]|\\.)*"/g) ?? []
    return [
      ...linesOf(text).flatMap((line) => [line.trim(), lineSecret(line)]),
      ...quoted.map(unquote),
    ]
  }
}

function unquote(quoted: string): string {
  return quoted.slice(1, -1).trim()
}

/** As it stands in the address: a percent-encoded one is decoded by nobody here. */
function passwordOf(webhook: string | undefined): string[] {
  const password = URL.parse(webhook?.trim() ?? '')?.password ?? ''
  return password.length < shortestHeaderMask ? [] : [password]
}
