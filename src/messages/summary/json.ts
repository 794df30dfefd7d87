/** JSON read for showing: numbers keep the spelling they came with. */
import type { Show } from '../text/secrets.ts'

/**
 * A number as it was written (`JSON.rawJSON`): JavaScript's own would alter `12345678901234567890`
 * and `1.0`.
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
 * Undefined where the text is no JSON, or nested too deep to be read. Its texts and keys are what
 * `show` leaves of them: escapes that hid a secret in the JSON text are gone by then.
 */
export function parseJson(text: string, show: Show): Json | undefined {
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

/** Whether it is a list with at least one row, and every row an object of plain values. */
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

/** Indented, or on one line where its depth would make that far longer. */
export function printJson(value: Json): string {
  const indented = JSON.stringify(value, undefined, 2)
  return indented.length <= maxIndented ? indented : JSON.stringify(value)
}
