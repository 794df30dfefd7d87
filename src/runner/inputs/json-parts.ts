/** An element of an array, or the value of a member of an object. */
export interface JsonPart {
  /** The value as it is written. */
  text: string
  start: number
}

// The tokens that may come next, by their first characters: none at the end.
const scalar = '"-0123456789tfn'
const value = `{[${scalar}`
const inArray = { first: `]${value}`, further: value, after: ',]' }
const inObject = { first: '}"', further: '"', after: ',}' }
const outside = { first: value, further: '', after: '' }

/**
 * Reads a JSON text without making values of it, in linear time, with little memory, to any depth.
 * Yields the parts of its outermost array or object. Returns the offset at which the text stops
 * being JSON. If the text ends too early, this is its length.
 */
export function* readParts(text: string): Generator<JsonPart, number | undefined> {
  const tokens = new Tokens(text)
  // A byte for each bracket that may be open: a text may be nothing else.
  const isObject = new Uint8Array(text.length + 1)
  let depth = 0
  const around = () => (depth === 0 ? outside : isObject[depth] ? inObject : inArray)
  let expected = outside.first
  let start = 0
  for (;;) {
    const first = tokens.find()
    const { at } = tokens
    const isMemberName = !expected.includes('[')
    if (first === '') return expected === '' ? undefined : at
    if (!expected.includes(first) || !tokens.pass(first)) return tokens.at
    if (depth === 1 && value.includes(first)) start = at
    if (first === '{' || first === '[') {
      isObject[++depth] = Number(first === '{')
      expected = around().first
    } else if (first === ',') expected = around().further
    else if (first === ':') expected = value
    else if (first === '"' && isMemberName) expected = ':'
    else {
      if (first === '}' || first === ']') depth--
      if (depth === 1) yield { text: text.slice(start, tokens.at), start }
      expected = around().after
    }
  }
}

class Tokens {
  at = 0
  readonly #text: string
  readonly #space = /[ \t\n\r]*/y
  readonly #scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  /** Some characters of a string: matching all of a long one at once would overflow the stack. */
  readonly #characters = /(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,1000}/y
  /** Matches the end of a string or the beginning of a wrong escape. */
  readonly #special = /["\\]/y

  constructor(text: string) {
    this.#text = text
  }

  /** Moves to the next token. Returns its first character, or '' at the end. */
  find(): string {
    if (this.#text.charCodeAt(this.at) <= 0x20) this.#pass(this.#space)
    return this.#text.charAt(this.at)
  }

  /** Moves behind the token. For a broken token, moves to the fault and returns false. */
  pass(first: string): boolean {
    if (first !== '"' && scalar.includes(first)) return this.#pass(this.#scalar)
    this.at++
    if (first !== '"') return true
    while (this.#pass(this.#characters));
    return this.#pass(this.#special) && this.#text[this.at - 1] === '"'
  }

  #pass(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.#text)) return false
    this.at = pattern.lastIndex
    return true
  }
}
