import type { ExecutionStatus } from '../../service/contract.ts'
import { clean, unpunctuated } from './untrusted-text.ts'

/** Returns an untrusted text as people may see it: cleaned and without secrets (`Secrets.show`). */
export type Show = (text: string) => string

// The minimum length of a link's query that is a signature. A shorter query may occur in other texts
// by chance.
const minSignatureLength = 16

/** Holds all secrets and removes them from texts. The runner masks the secrets in the log. */
export class Secrets {
  readonly #mask: (value: string) => void
  readonly #masked = new Set<string>()
  /** The spellings of all secrets, longest first, because a secret can contain a shorter secret. */
  #spellings: readonly string[] = []

  /** `mask` tells the runner to mask a value in the step's log (`core.setSecret`). */
  constructor(mask: (value: string) => void) {
    this.#mask = mask
  }

  /**
   * Removes values and each of their lines from texts, also in JSON, URLs and base64. The runner
   * gets only lines, because it masks line by line. The runner finds other spellings itself.
   */
  add(...values: readonly string[]): void {
    const lines = values.flatMap((value) => value.split(/[\r\n]+/)).map((line) => line.trim())
    for (const line of lines) this.mask(line)
    const whole = [...values.map((value) => value.trim()), ...lines]
    // A sentence takes the last signs off a text that it quotes.
    const hidden = [...whole, ...whole.map(unpunctuated)]
    this.#spellings = longestFirst([...this.#spellings, ...hidden.flatMap(spellings)])
  }

  /**
   * Cleans an untrusted text and removes secrets. People see only texts that this function returns.
   * Call the function before truncating or escaping, because a truncated or escaped secret is not
   * recognised.
   */
  readonly show: Show = (text) => {
    let shown = clean(text)
    for (const spelling of this.#spellings) shown = shown.replaceAll(spelling, '***')
    return shown
  }

  /** Redacts a text whose beginning was cut off. Also removes what may be the end of a secret. */
  readonly showEnd: Show = (text) => this.show(text).slice(this.#maxLength())

  /** Redacts a text whose end was cut off. Also removes what may be the beginning of a secret. */
  readonly showBeginning: Show = (text) => {
    const shown = this.show(text)
    return shown.slice(0, Math.max(0, shown.length - this.#maxLength()))
  }

  /** Tells the runner to mask a value in the log. Other texts are not searched for the value. */
  mask(value: string): void {
    if (value === '' || this.#masked.has(value)) return
    this.#masked.add(value)
    this.#mask(value)
  }

  /** Returns the length of the longest hidden spelling, in UTF-16 units. */
  #maxLength(): number {
    return this.#spellings[0]?.length ?? 0
  }
}

/** Masks the signatures of a status record's links in the log, although no text shows a link. */
export function maskLinks({ result_url, logs_url }: ExecutionStatus, secrets: Secrets): void {
  for (const link of [result_url, logs_url]) {
    const query = URL.parse(link ?? '')?.search.slice(1) ?? ''
    if (query.length >= minSignatureLength) secrets.mask(query)
  }
}

/**
 * Returns the spellings of a value: unchanged, in JSON, in a URL and in base64. Results and lines of
 * a log are often JSON that contains other JSON as a text.
 */
function spellings(value: string): string[] {
  const json = inJson(value)
  const base64 = Buffer.from(value).toString('base64')
  const forms = [value, json, inJson(json), ...inUrl(value), base64]
  return [...new Set(forms.map(clean))].filter((form) => form.trim() !== '')
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/**
 * Escapes a value for a URL as JavaScript and Python do, with hex digits in upper and lower case.
 */
function inUrl(value: string): string[] {
  const script = encodeURIComponent(value.toWellFormed())
  const hex = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  const python = script.replace(/[!'()*]/g, hex)
  const whole = [script, python, python.replaceAll('%2F', '/')]
  return whole.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (at) => at.toLowerCase())])
}

function longestFirst(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((one, other) => other.length - one.length)
}
