/** A text as its reader takes it in, for finding phrases whatever invisible is put between their letters. */

/** UTF-16 units, each with where in the text it came from. */
export interface VisibleUnits {
  codes: Uint16Array
  /** Where each begins. */
  starts: Uint32Array
  /** Where each ends. */
  ends: Uint32Array
}

// Of no width, or control characters, which are shown as `�` or not at all.
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\ufffd]|(?![\s\u0085])\p{Cc}`
// A browser draws white space together, and a line break may become a space. A single space, the
// most frequent, is left to the fast path.
const blank = String.raw`[\s\u0085]`
const unusual = `(?:${invisible})+|${blank}{2,}|(?! )${blank}`
const special = new RegExp(unusual, 'gu')
const specialOrEscaped = new RegExp(String.raw`${unusual}|\\(?:u[\da-fA-F]{4}|["\\/])`, 'gu')
const isInvisible = new RegExp(`^(?:${invisible})`, 'u')
const isBlank = new RegExp(`^${blank}`, 'u')
const space = 0x20

/**
 * What is invisible is left out, and a run of white space becomes one space. `unescape`: reads the
 * escapes of JSON too. Linear in the text.
 */
export function visibleUnits(text: string, unescape: boolean): VisibleUnits {
  const units = new UnitList(text)
  let done = 0
  for (const { 0: token, index } of text.matchAll(unescape ? specialOrEscaped : special)) {
    units.addRange(done, index)
    done = index + token.length
    const shown = token.startsWith('\\') ? unescapeOne(token) : token
    if (isInvisible.test(shown)) continue
    units.add(isBlank.test(shown) ? space : shown.charCodeAt(0), index, done)
  }
  units.addRange(done, text.length)
  return units.all()
}

function unescapeOne(token: string): string {
  return token[1] === 'u' ? String.fromCharCode(parseInt(token.slice(2), 16)) : token.slice(1)
}

class UnitList {
  readonly #text: string
  readonly #codes: Uint16Array
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  #length = 0

  constructor(text: string) {
    this.#text = text
    this.#codes = new Uint16Array(text.length)
    this.#starts = new Uint32Array(text.length)
    this.#ends = new Uint32Array(text.length)
  }

  add(code: number, start: number, end: number): void {
    const last = this.#length - 1
    if (code === space && this.#codes[last] === space) {
      this.#ends[last] = end
      return
    }
    this.#codes[this.#length] = code
    this.#starts[this.#length] = start
    this.#ends[this.#length] = end
    this.#length += 1
  }

  addRange(from: number, to: number): void {
    for (let at = from; at < to; at++) this.add(this.#text.charCodeAt(at), at, at + 1)
  }

  all(): VisibleUnits {
    return {
      codes: this.#codes.subarray(0, this.#length),
      starts: this.#starts.subarray(0, this.#length),
      ends: this.#ends.subarray(0, this.#length),
    }
  }
}
