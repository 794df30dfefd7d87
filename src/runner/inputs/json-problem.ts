/** Describes the syntax error of a JSON text, with its line and column. */
import { readParts } from './json-parts.ts'

/**
 * Returns the offset of the first syntax error in a JSON text, or undefined. If the text ends too
 * early, returns the length of the text.
 */
export function findJsonFault(text: string): number | undefined {
  const parts = readParts(text)
  let next = parts.next()
  while (next.done !== true) next = parts.next()
  return next.value
}

const kinds = new Map([
  ['{', 'an object'],
  ['[', 'an array'],
  ['"', 'a string'],
  ['n', 'null'],
  ['t', 'a boolean'],
  ['f', 'a boolean'],
])

/** Describes the type of the JSON value at an offset, for example "an array". */
export function kindAt(text: string, offset: number): string {
  return kinds.get(text.charAt(offset)) ?? 'a number'
}

/** Describes a syntax error. Shows at most one character, because the text may be secret. */
export function describeFault(text: string, offset: number): string {
  const where = describePlace(text, offset)
  const [character] = text.slice(offset, offset + 2)
  if (character === undefined) return `unexpected end of input ${where}`
  const what = /[\p{C}\p{Z}]/u.test(character)
    ? 'white space or control character'
    : JSON.stringify(character)
  // Python writes single quotes if a program prints a dict.
  const hint = character === "'" ? ' (JSON has double quotes)' : ''
  return `a text with an unexpected ${what}${hint} ${where}`
}

/**
 * Returns the line and column of an offset. Both count from 1, the column in UTF-16 units. CRLF, CR
 * and LF each end one line.
 */
export function describePlace(text: string, offset: number): string {
  let line = 1
  let start = 0
  for (const { 0: end, index } of text.slice(0, offset).matchAll(/\r\n|\r|\n/g)) {
    line += 1
    start = index + end.length
  }
  return `at line ${line}, column ${offset - start + 1}`
}
