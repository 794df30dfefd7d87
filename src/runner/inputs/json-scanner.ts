/** A part of a text; `end` is after its last character. */
export interface TextRange {
  start: number
  end: number
}

/** An element of an array, or a member of an object. */
export interface JsonPart extends TextRange {
  /** The member's name with its quotes, as it is written; undefined of an element. */
  name: string | undefined
}

const code = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const

/**
 * Walks through a JSON text without making values of it: in linear time, in little memory, to any
 * depth. Each method passes one thing from `at` on, or returns false: then `at` is where the text
 * stops being JSON, which is its end where it ends too early.
 */
export class JsonScanner {
  at: number
  readonly #text: string
  readonly #end: number
  /** What a string has to escape, and what ends or escapes there. */
  readonly #special = /[^\u0020-\uffff]|["\\]/g

  constructor(text: string, { start, end }: TextRange = { start: 0, end: text.length }) {
    this.#text = text
    this.at = start
    this.#end = end
  }

  passSpace(): void {
    while (isSpace(this.#next)) this.at++
  }

  /** One value and the white space around it, and nothing else up to the end. */
  passWhole(): boolean {
    if (!this.passValue()) return false
    this.passSpace()
    return this.at === this.#end
  }

  /** White space and one value of any kind. */
  passValue(): boolean {
    const open = new BracketStack()
    for (;;) {
      this.passSpace()
      const first = this.#next
      if (first !== code.openBrace && first !== code.openBracket) {
        if (!this.#passScalar()) return false
      } else {
        open.push(first)
        this.at++
        this.passSpace()
        if (this.#next !== closingOf(first)) {
          if (first === code.openBrace && !this.#passName()) return false
          continue
        }
      }
      while (open.top !== undefined) {
        this.passSpace()
        if (this.#next !== closingOf(open.top)) break
        open.pop()
        this.at++
      }
      if (open.top === undefined) return true
      if (!this.#pass(code.comma)) return false
      if (open.top === code.openBrace && !this.#passName()) return false
    }
  }

  /** The array or the object that begins here; `take` gets each part that is sound. */
  passParts(take: (part: JsonPart) => void): boolean {
    const parts = this.parts()
    let next = parts.next()
    for (; next.done !== true; next = parts.next()) take(next.value)
    return next.value
  }

  /** The same, part by part; returns whether all of it is sound. */
  *parts(): Generator<JsonPart, boolean> {
    const isObject = this.#next === code.openBrace
    const closing = isObject ? code.closeBrace : code.closeBracket
    this.at++
    this.passSpace()
    if (this.#pass(closing)) return true
    do {
      this.passSpace()
      const nameAt = this.at
      if (isObject && !this.#passString()) return false
      const name = isObject ? this.#text.slice(nameAt, this.at) : undefined
      if (isObject && !this.#passColon()) return false
      this.passSpace()
      const start = this.at
      if (!this.passValue()) return false
      yield { name, start, end: this.at }
      this.passSpace()
    } while (this.#pass(code.comma))
    return this.#pass(closing)
  }

  /** The next character's code; NaN at the end. */
  get #next(): number {
    return this.at < this.#end ? this.#text.charCodeAt(this.at) : NaN
  }

  #pass(expected: number): boolean {
    if (this.#next !== expected) return false
    this.at++
    return true
  }

  /** A member's name and its colon. */
  #passName(): boolean {
    this.passSpace()
    return this.#passString() && this.#passColon()
  }

  #passColon(): boolean {
    this.passSpace()
    return this.#pass(code.colon)
  }

  #passScalar(): boolean {
    const first = this.#next
    if (first === code.quote) return this.#passString()
    if (first === code.minus || isDigit(first)) return this.#passNumber()
    return ['true', 'false', 'null'].some((word) => this.#passWord(word))
  }

  #passWord(word: string): boolean {
    const found = this.#text.slice(this.at, Math.min(this.at + word.length, this.#end))
    if (found === word) {
      this.at += word.length
      return true
    }
    // It may be a beginning of the word that the text ends in.
    if (found !== '' && this.at + found.length === this.#end && word.startsWith(found)) {
      this.at = this.#end
    }
    return false
  }

  #passString(): boolean {
    if (!this.#pass(code.quote)) return false
    for (;;) {
      this.#passPlain()
      if (this.#pass(code.quote)) return true
      if (!this.#pass(code.backslash) || !this.#passEscape()) return false
    }
  }

  /** Characters of a string that mean themselves. They are most of a text: a search is fast. */
  #passPlain(): void {
    this.#special.lastIndex = this.at
    const found = this.#special.test(this.#text) ? this.#special.lastIndex - 1 : this.#end
    this.at = Math.min(found, this.#end)
  }

  /** What follows a backslash. */
  #passEscape(): boolean {
    const character = this.at < this.#end ? this.#text.charAt(this.at) : ''
    if (character === '' || !'"\\/bfnrtu'.includes(character)) return false
    this.at++
    if (character !== 'u') return true
    for (let digits = 0; digits < 4; digits++) {
      if (this.at >= this.#end || !/[\da-f]/i.test(this.#text.charAt(this.at))) return false
      this.at++
    }
    return true
  }

  #passNumber(): boolean {
    this.#pass(code.minus)
    if (!this.#pass(code.zero) && !this.#passDigits()) return false
    if (this.#pass(code.point) && !this.#passDigits()) return false
    const exponent = String.fromCharCode(this.#next)
    if (exponent !== 'e' && exponent !== 'E') return true
    this.at++
    if (!this.#pass(code.plus)) this.#pass(code.minus)
    return this.#passDigits()
  }

  #passDigits(): boolean {
    const start = this.at
    while (isDigit(this.#next)) this.at++
    return this.at > start
  }
}

/** What JSON takes for white space. */
function isSpace(found: number): boolean {
  return (
    found === code.space ||
    found === code.lineFeed ||
    found === code.carriageReturn ||
    found === code.tab
  )
}

function isDigit(found: number): boolean {
  return found >= code.zero && found <= code.nine
}

function closingOf(opening: number): number {
  return opening === code.openBrace ? code.closeBrace : code.closeBracket
}

/** The brackets that are open, one byte each: a text may be nothing but opening brackets. */
class BracketStack {
  #codes = new Uint8Array(64)
  #depth = 0

  get top(): number | undefined {
    return this.#depth === 0 ? undefined : this.#codes[this.#depth - 1]
  }

  push(opening: number): void {
    if (this.#depth === this.#codes.length) {
      const larger = new Uint8Array(2 * this.#depth)
      larger.set(this.#codes)
      this.#codes = larger
    }
    this.#codes[this.#depth++] = opening
  }

  pop(): void {
    this.#depth--
  }
}
