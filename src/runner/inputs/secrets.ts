/** The secrets among a step's inputs, found before anything is parsed or printed. */
import { afterSchemeWord, namesCredential } from './credential-header.ts'
import { readText, type Environment } from './environment.ts'
import { isJsonForm, linesOf, splitHeader } from './header-line.ts'

interface Secret {
  value: string
  /** The input that holds it. */
  input: string
}

const shortestSecret = 6
// What may or may not be a secret, in headers that can't be read: shorter parts garble the log.
const shortestGuess = 4

/**
 * All values that must never be seen: credentials, and the values of webhook headers that are
 * some. It works on the raw texts, since the report of an input's problem comes after the masks.
 */
export function readSecrets(environment: Environment = process.env): string[] {
  const guesses = guessesIn(readText(environment, 'webhook-headers') ?? '')
  return [
    ...new Set([
      ...findSecrets(environment).map(({ value }) => value),
      ...guesses.filter((value) => value.length >= shortestGuess),
    ]),
  ]
}

/** The inputs whose secret is so short that its mask hits other words too. */
export function inputsWithShortSecrets(environment: Environment = process.env): string[] {
  const short = findSecrets(environment).filter(({ value }) => value.length < shortestSecret)
  return [...new Set(short.map(({ input }) => input))]
}

function findSecrets(environment: Environment): Secret[] {
  const credentials = ['api-token', 'api-key'].flatMap((input) =>
    linesOf(readText(environment, input) ?? '').map((line) => ({ value: line.trim(), input })),
  )
  const password = URL.parse(readText(environment, 'webhook')?.trim() ?? '')?.password ?? ''
  const headers = headersIn(readText(environment, 'webhook-headers') ?? '') ?? []
  return [
    ...credentials,
    // As it stands in the address: a percent-encoded one is decoded by nobody here.
    { value: password, input: 'webhook' },
    ...headers.flatMap(secretsOf).map((value) => ({ value, input: 'webhook-headers' })),
  ].filter(({ value }) => value !== '')
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
  // In a credential, a first word that is no known scheme may be an unknown one.
  const behind = behindFirstWord(value) ?? ''
  return behind.length >= shortestSecret ? [value, behind] : [value]
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
  const quoted = isJsonForm(text) ? (text.match(/"(?:[^"\\]|\\.)*"/g) ?? []) : []
  return [...values, ...quoted.map((part) => part.slice(1, -1).trim())].flatMap((value) => [
    value,
    behindFirstWord(value) ?? '',
  ])
}

function behindFirstWord(value: string): string | undefined {
  return /^\S+\s+(\S.*)$/s.exec(value)?.[1]
}
