import { linesOf } from './text.ts'

// That parser keeps an object per token: hundreds of megabytes for such a text.
const mostParsed = 8 * 2 ** 20

/** Where a text stops being JSON. Lines and columns count from 1. */
export interface JsonProblemPlace {
  line: number
  column: number
  /** UTF-16 code units from the text's start; the text's length when it ends too early. */
  offset: number
}

/**
 * Finds the place where JSON.parse, which threw `failure`, stopped. Its message cannot be shown, as
 * it quotes the text, and has a position for some problems only: the parser that has one for all
 * is loaded for the rest. Undefined when neither knows.
 */
export async function locateJsonProblem(
  text: string,
  failure: unknown,
): Promise<JsonProblemPlace | undefined> {
  const offset = offsetFrom(text, failure) ?? (await offsetByParser(text))
  return offset === undefined ? undefined : placeAt(text, offset)
}

function offsetFrom(text: string, failure: unknown): number | undefined {
  const message = failure instanceof Error ? failure.message : ''
  if (message === 'Unexpected end of JSON input') return text.length
  // Nothing of the text is quoted where JSON.parse gives a position: the number is its own.
  const position = / JSON at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1]
  return position === undefined ? undefined : Number(position)
}

async function offsetByParser(text: string): Promise<number | undefined> {
  if (text.length > mostParsed) return undefined
  const { parse } = await import('@humanwhocodes/momoa')
  try {
    parse(text, { mode: 'json' })
    // The two disagree (about control characters in strings, say). JSON.parse decides.
    return undefined
  } catch (error) {
    return hasOffset(error) ? error.offset : undefined
  }
}

function hasOffset(error: unknown): error is { offset: number } {
  return error instanceof Error && 'offset' in error && Number.isInteger(error.offset)
}

/** What a value that JSON.parse returned is, in words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

export type LineAndColumn = Pick<JsonProblemPlace, 'line' | 'column'>

/**
 * Words for a text that stops being JSON: `rest` is the text from there on. They show one character
 * of it at most, since it may hold a secret.
 */
export function describeStop(rest: string, { line, column }: LineAndColumn): string {
  const where = `line ${line}, column ${column}`
  const [character] = rest.slice(0, 2)
  if (character === undefined) return `a text that ends too early, at ${where}`
  const what = /[\p{C}\p{Z}]/u.test(character)
    ? 'white space or control character'
    : JSON.stringify(character)
  return `a text with an unexpected ${what} at ${where}`
}

function placeAt(text: string, offset: number): JsonProblemPlace {
  const lines = linesOf(text.slice(0, offset))
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, offset }
}
