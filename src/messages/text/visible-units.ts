/** A text as its reader takes it in, for finding phrases whatever invisible is put between their letters. */

/** UTF-16 units, each with where in the text it came from. */
export interface VisibleUnits {
  codes: Uint16Array
  /** Where each begins. */
  starts: Uint32Array
  /** Where each ends. */
  ends: Uint32Array
}

// Of no width, or control and format characters, which are shown as `�` or not at all.
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\ufffd]|(?![\s\u0085])\p{Cc}`
// A browser draws white space together, and a line break may become a space. A single space, the
// most frequent, is left to the fast path.
const blank = String.raw`[\s\u0085]`
const unusual = `(?:${invisible})+|${blank}{2,}|(?! )${blank}`
const special = new RegExp(unusual, 'gu')
const jsonEscape = String.raw`\\(?:u[\da-fA-F]{4}|["\\/])`
// Of ASCII alone: what else a secret holds is added in the spelling of a URL.
const urlEscape = '%(?:[2-6][\\da-fA-F]|7[\\da-eA-E])'
// Any number of so few digits is a code point.
const htmlEscape = '&(?:amp|lt|gt|quot|apos|#\\d{1,6}|#[xX][\\da-fA-F]{1,5});'
const specialOrEscaped = new RegExp(`${unusual}|${jsonEscape}|${urlEscape}|${htmlEscape}`, 'gu')
const isInvisible = new RegExp(`^(?:${invisible})`, 'u')
const isBlank = new RegExp(`^${blank}`, 'u')
const space = 0x20

/**
 * What is invisible is left out, and a run of white space becomes one space. `unescape`: reads the
 * escapes of JSON, URLs and HTML too, of which people and programs see through any. Linear in the
 * text.
 */
export function visibleUnits(text: string, unescape: boolean): VisibleUnits {
  const units = new UnitList(text)
  let done = 0
  for (const { 0: token, index } of text.matchAll(unescape ? specialOrEscaped : special)) {
    units.addRange(done, index)
    done = index + token.length
    const shown = unescapeOne(token)
    if (isInvisible.test(shown)) continue
    if (isBlank.test(shown)) units.add(space, index, done)
    else for (const unit of shown.split('')) units.add(unit.charCodeAt(0), index, done)
  }
  units.addRange(done, text.length)
  return units.all()
}

const entities = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])

/** What an escape stands for; any other token as it is. */
function unescapeOne(token: string): string {
  const [, json, url, hex, decimal] = /^(?:\\u(.+)|%(.+)|&#[xX](.+);|&#(.+);)$/.exec(token) ?? []
  if (json !== undefined) return String.fromCharCode(parseInt(json, 16))
  if (url !== undefined) return String.fromCharCode(parseInt(url, 16))
  if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16))
  if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
  return entities.get(token) ?? (token.startsWith('\\') ? token.slice(1) : token)
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
