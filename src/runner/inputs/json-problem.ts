/** What is wrong with a JSON text, and where. */
import { readParts } from './json-parts.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The offset where a text stops being JSON, its length where it ends too early. */
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

/** What the value is that begins there, in words. */
export function kindAt(text: string, offset: number): string {
  return kinds.get(text.charAt(offset)) ?? 'a number'
}

/**
 * Words for a text that stops being JSON. They show one character of it at most, since it may hold
 * a secret.
 */
export function describeFault(
  text: string,
  offset: number,
  where = new PlaceFinder(text).describe(offset),
): string {
  const [character] = text.slice(offset, offset + 2)
  if (character === undefined) return `unexpected end of input ${where}`
  const what = /[\p{C}\p{Z}]/u.test(character)
    ? 'white space or control character'
    : JSON.stringify(character)
  return `a text with an unexpected ${what} ${where}`
}

/** Knows lines and columns of offsets in ascending order, at the cost of one pass. */
export class PlaceFinder {
  readonly #text: string
  #at = 0
  #line = 1
  #lineStart = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Both count from 1, the column in UTF-16 units. CRLF, CR and LF each end one line. */
  describe(offset: number): string {
    for (; this.#at < offset; this.#at++) {
      const character = this.#text.charCodeAt(this.#at)
      if (character !== lineFeed && character !== carriageReturn) continue
      const isPairEnd =
        character === lineFeed && this.#text.charCodeAt(this.#at - 1) === carriageReturn
      if (!isPairEnd) this.#line++
      this.#lineStart = this.#at + 1
    }
    return `at line ${this.#line}, column ${offset - this.#lineStart + 1}`
  }
}
