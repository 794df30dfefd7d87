/** JSON as people and other programs may see it: numbers keep the spelling they came with. */
import type { Show } from './text/secrets.ts'

/**
 * A number as it was written (`JSON.rawJSON`): parsing changes `12345678901234567890` and `1.0`.
 */
export interface NumberText {
  rawJSON: string
}

export type Flat = string | boolean | null | NumberText
export type Json = Flat | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}
export type FlatObject = Readonly<Record<string, Flat>>

// TypeScript's library does not know the third argument, the source text, nor raw JSON yet.
type Reviver = (key: string, value: Json | number, context: { source?: string }) => Json
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse: (text: string, reviver: Reviver) => Json
  rawJSON: (source: string) => NumberText
  isRawJSON: (value: unknown) => value is NumberText
}

// Characters.
const maxIndented = 2 ** 22

/**
 * Returns undefined if the text is not JSON or is nested too deeply. Texts and keys are redacted
 * after parsing, when no escape can hide a secret.
 */
export function parseShown(text: string, show: Show): Json | undefined {
  try {
    return parse(text.replace(/^\ufeff/, ''), (_key, value, { source }) => {
      if (typeof value === 'number') return rawJSON(source ?? String(value))
      if (typeof value === 'string') return show(value)
      if (!isObject(value)) return value
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [show(key), part]))
    })
  } catch {
    return undefined
  }
}

export function isNumber(value: Json | undefined): value is NumberText {
  return isRawJSON(value)
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value)
}

export function isFlat(value: Json): value is Flat {
  return typeof value !== 'object' || value === null || isNumber(value)
}

/** Returns true for a list with at least one row if every row is an object of plain values. */
export function isRows(value: Json): value is FlatObject[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => isObject(row) && Object.values(row).every(isFlat))
  )
}

export function textOf(value: Flat): string {
  return isNumber(value) ? value.rawJSON : String(value)
}

/** Returns indented JSON, or one line if indentation would make it much longer. */
export function printJson(value: Json): string {
  const indented = JSON.stringify(value, undefined, 2)
  return indented.length <= maxIndented ? indented : JSON.stringify(value)
}

/**
 * Returns a JSON result on one line, otherwise unchanged, because parsing would change its numbers.
 * Returns undefined if the text is not JSON or is nested too deeply. `name` is the name of its
 * file.
 */
export function inlineResult(text: string, name: string): string | undefined {
  // A text such as `2026` is JSON by chance, unless its name says so.
  if (!/\.json$/i.test(name) && !/^\uFEFF?\s*[[{]/.test(text)) return undefined
  try {
    // Parse before the lines are joined. A line break inside a string or a number is invalid JSON,
    // and joining would hide it.
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return oneLineJson(text)
  } catch {
    return undefined
  }
}

/**
 * A valid JSON text on one line, its numbers and strings as they were written. A line break and the
 * indentation after it stand between tokens: a string has none but as an escape. A byte order mark
 * is no part of the JSON.
 */
export function oneLineJson(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/[\r\n][ \t\r\n]*/g, '')
    .trim()
}
