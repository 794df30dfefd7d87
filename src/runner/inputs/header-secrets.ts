/** The parts of webhook headers that are credentials, found in a text that nobody has parsed yet. */
import { afterSchemeWord, namesCredential } from './credential-header.ts'
import { isJsonForm, linesOf, splitHeader } from './header-line.ts'
import type { FoundSecrets } from './secret.ts'

// In a credential, a first word that is no known scheme may be an unknown one.
const shortestBehindWord = 6
// Of headers that can't be read: shorter parts garble the log.
const shortestGuess = 4

/** The values of headers that are credentials; of headers that can't be read, all that may be one. */
export function findHeaderSecrets(text: string): FoundSecrets {
  const guesses = guessesIn(text).filter((value) => value.length >= shortestGuess)
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
  return behind.length >= shortestBehindWord ? [value, behind] : [value]
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
