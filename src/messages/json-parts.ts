/** Finds the parts of a JSON text, and its first syntax error, without parsing the values. */

/** An element of a JSON array, or the value of a member of a JSON object. */
export interface JsonPart {
  /** The JSON text of the value, unchanged. */
  text: string
  start: number
  /** The JSON text of the member's name. Undefined for an element of an array. */
  name: string | undefined
}

// The first characters of the tokens that may come next. Empty if no token may follow.
const scalar = '"-0123456789tfn'
const value = `{[${scalar}`
const inArray = { first: `]${value}`, further: value, after: ',]' }
const inObject = { first: '}"', further: '"', after: ',}' }
const outside = { first: value, further: '', after: '' }

/**
 * Calls `take` for each element of the outermost array in a JSON text, or for each member value of
 * the outermost object. Takes linear time and little memory at any nesting depth, because no values
 * are created. Returns the offset of the first part for which `take` returns false, or of the first
 * syntax error, or undefined. If the text ends too early, returns the length of the text.
 */
export function readParts(text: string, take: (part: JsonPart) => boolean): number | undefined {
  const tokens = new Tokens(text)
  // The array has one element for each depth. The depth is at most the number of characters.
  const isObject = new Uint8Array(text.length + 1)
  let depth = 0
  const around = () => (depth === 0 ? outside : isObject[depth] ? inObject : inArray)
  let expected = outside.first
  let start = 0
  let name: string | undefined
  for (;;) {
    const first = tokens.find()
    const { at } = tokens
    const isMemberName = !expected.includes('[')
    if (first === '') return expected === '' ? undefined : at
    if (!expected.includes(first) || !tokens.pass(first)) return tokens.at
    if (depth === 1 && isMemberName && first === '"') name = text.slice(at, tokens.at)
    else if (depth === 1 && value.includes(first)) start = at
    if (first === '{' || first === '[') {
      isObject[++depth] = Number(first === '{')
      expected = around().first
    } else if (first === ',') expected = around().further
    else if (first === ':') expected = value
    else if (first === '"' && isMemberName) expected = ':'
    else {
      if (first === '}' || first === ']') depth--
      const isPart = depth === 1
      if (isPart && !take({ text: text.slice(start, tokens.at), start, name })) return start
      expected = around().after
    }
  }
}

class Tokens {
  at = 0
  readonly #text: string
  readonly #space = /[ \t\n\r]*/y
  readonly #scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  /** Matches a part of a string. Matching a whole long string at once would overflow the stack. */
  readonly #characters = /(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,1000}/y
  /** Matches the end of a string or the beginning of an invalid escape. */
  readonly #special = /["\\]/y

  constructor(text: string) {
    this.#text = text
  }

  /** Moves to the next token. Returns the token's first character, or '' at the end of the text. */
  find(): string {
    if (this.#text.charCodeAt(this.at) <= 0x20) this.#pass(this.#space)
    return this.#text.charAt(this.at)
  }

  /** Moves behind a valid token. If the token is invalid, moves to the error and returns false. */
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
