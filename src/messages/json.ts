/** Parses and prints JSON. Numbers stay as they are written in the source text. */
import type { Show } from './text/secrets.ts'

/** A number as it is written in the source text. `JSON.parse` would change `1.0` to 1. */
interface NumberText {
  rawJSON: string
}

export type Flat = string | boolean | null | NumberText
type Json = Flat | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

// TypeScript does not yet have types for raw JSON and for the third argument of a reviver.
type Reviver = (key: string, value: Json | number, context: { source?: string }) => Json
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse: (text: string, reviver: Reviver) => Json
  rawJSON: (source: string) => NumberText
  isRawJSON: (value: unknown) => value is NumberText
}

// The maximum length of indented JSON, in characters.
const maxIndented = 2 ** 22

/** Parses JSON. Returns undefined if the text is not JSON or is nested too deeply. */
export function parseJson(text: string): Json | undefined {
  return parseShown(text, (part) => part)
}

/**
 * Parses JSON and redacts its strings and keys. Returns undefined if the text is not JSON or is
 * nested too deeply. Redaction comes after parsing, because an escape in the source text can hide a
 * secret.
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

/** Returns a number as it is written, or the text if it is no number of JSON, such as `007`. */
export function numberOrText(text: string): Flat {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? rawJSON(text) : text
}

export function textOf(value: Flat): string {
  return isNumber(value) ? value.rawJSON : String(value)
}

/** Returns a value without lists and objects. A list or an object becomes JSON on one line. */
export function toFlat(value: Json): Flat {
  return isFlat(value) ? value : JSON.stringify(value)
}

/** Returns indented JSON, or one line if the indented JSON would be too long. */
export function printJson(value: Json): string {
  const indented = JSON.stringify(value, undefined, 2)
  return indented.length <= maxIndented ? indented : JSON.stringify(value)
}

/**
 * Returns a JSON result on one line. Returns undefined if the text is not JSON or is nested too
 * deeply. Numbers and strings stay as they are written. `name` is the name of the result's file.
 */
export function inlineResult(text: string, name: string): string | undefined {
  // A text such as `2026` may be valid JSON by chance. Such a text counts as JSON only in a .json
  // file.
  if (!/\.json$/i.test(name) && !/^\uFEFF?\s*[[{]/.test(text)) return undefined
  try {
    // A line break inside a string is invalid JSON. Joining the lines first would hide this error.
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return oneLineJson(text)
  } catch {
    return undefined
  }
}

/** Joins the lines of valid JSON. A line break in valid JSON is always between two tokens. */
export function oneLineJson(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/[\r\n][ \t\r\n]*/g, '')
    .trim()
}
