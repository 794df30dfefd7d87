import type { Clock } from '../../clock.ts'
import type { ExecutionStatus } from '../../service/contract.ts'
import { clean, inline, maxWords } from './untrusted-text.ts'

/** Returns an untrusted text as people may see it: cleaned and without secrets (`Secrets.show`). */
export type Show = (text: string) => string

// How long a signed link is valid, in milliseconds. Source: docs/contributing/service.md, "Result
// and log links".
export const linkLife = 60_000
// If the query of a link is shorter, it is not a signature, and may occur in other texts by chance.
const minSignatureLength = 16

const manySpellings = 200
/**
 * The length of the ends that are searched first, in UTF-16 units. Many secrets have the same
 * beginning, so a search for beginnings would find too much.
 */
const endLength = 8

interface HiddenLink {
  /** The spellings of the signature. A text without these spellings cannot contain the link. */
  signature: readonly string[]
  spellings: readonly string[]
  clock: Clock
  until: number
}

/** Holds all secrets and removes them from texts. The runner masks the secrets in the log. */
export class Secrets {
  readonly #mask: (value: string) => void
  readonly #masked = new Set<string>()
  /** The spellings of all secrets, longest first, because a secret can contain a shorter secret. */
  #spellings: readonly string[] = []
  /** The ends of all spellings, for a fast search. */
  #ends: ReadonlySet<string> = new Set()
  /** The spellings of secrets that are part of a longer base64 text. */
  readonly #packed = new Set<string>()
  /** The signed links, in the order in which they expire. */
  readonly #links: HiddenLink[] = []

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
    for (const line of lines) this.#maskOnce(line)
    const hidden = [...values.map((value) => value.trim()), ...lines].filter(
      (value) => value !== '',
    )
    for (const digits of hidden.flatMap(inLongerBase64)) this.#packed.add(digits)
    const forms = hidden.flatMap((value) => [...spellings(value), toBase64(Buffer.from(value))])
    this.#spellings = longestFirst([...this.#spellings, ...forms, ...this.#packed])
    this.#ends = new Set(this.#spellings.map(endOf))
  }

  /**
   * Removes a signed link from texts until the link expires. Expired links are forgotten, so that
   * the list of links stays short in a batch. If `masked` is true, the runner masks the link in the
   * log permanently.
   */
  addLink(link: string, clock: Clock, { masked }: { masked: boolean }): void {
    this.#forgetLinks()
    const [whole, signature = whole] = partsOfLink(link)
    if (masked) this.#maskOnce(signature)
    this.#links.push({
      signature: spellings(signature),
      spellings: longestFirst([...spellings(whole), ...spellings(signature)]),
      clock,
      until: clock.now() + linkLife,
    })
  }

  /**
   * Cleans an untrusted text and removes secrets. People see only texts that this function returns.
   * Call the function before truncating or escaping, because a truncated or escaped secret is not
   * recognised.
   */
  readonly show: Show = (text) => {
    this.#forgetLinks()
    let shown = clean(text)
    for (const link of this.#links) {
      if (isAnyIn(link.signature, shown)) shown = this.#withoutAny(link.spellings, shown)
    }
    return this.#withoutAny(this.#spellingsIn(shown), shown)
  }

  readonly words: Show = (text) => showWords(text, this.show)

  /** Redacts a text whose beginning was cut off. Also removes what may be the end of a secret. */
  readonly showEnd: Show = (text) => this.show(text).slice(this.#maxLength())

  /** Redacts a text whose end was cut off. Also removes what may be the beginning of a secret. */
  readonly showBeginning: Show = (text) => {
    const shown = this.show(text)
    return shown.slice(0, Math.max(0, shown.length - this.#maxLength()))
  }

  #maskOnce(value: string): void {
    if (value === '' || this.#masked.has(value)) return
    this.#masked.add(value)
    this.#mask(value)
  }

  /**
   * Returns the spellings of secrets that may occur in the text. Looks only for their ends, because
   * a search for 5,000 complete spellings takes 1 s per MiB.
   */
  #spellingsIn(text: string): readonly string[] {
    if (this.#spellings.length < manySpellings) return this.#spellings
    const found = new Set<string>()
    for (let at = 0; at + endLength <= text.length; at += 1) {
      const end = text.slice(at, at + endLength)
      if (this.#ends.has(end)) found.add(end)
    }
    return this.#spellings.filter((each) => each.length < endLength || found.has(endOf(each)))
  }

  #forgetLinks(): void {
    for (let first = this.#links[0]; first; first = this.#links[0]) {
      if (first.until > first.clock.now()) return
      this.#links.shift()
    }
  }

  #withoutAny(hidden: readonly string[], text: string): string {
    let shown = text
    for (const form of hidden) {
      if (form.length > shown.length || !shown.includes(form)) continue
      shown = this.#packed.has(form) ? withoutPacked(form, shown) : shown.replaceAll(form, '***')
    }
    return shown
  }

  /** Returns the length of the longest hidden spelling, in UTF-16 units. */
  #maxLength(): number {
    const longest = [this.#spellings, ...this.#links.map((link) => link.spellings)]
    return Math.max(...longest.map(([first = '']) => first.length))
  }
}

/** Adds the signed links of a status record before an error message can contain such a link. */
export function hideLinks(
  { result_url, logs_url }: ExecutionStatus,
  { secrets, clock }: { secrets: Secrets; clock: Clock },
  { masked }: { masked: boolean },
): void {
  for (const link of [result_url, logs_url]) {
    if (link) secrets.addLink(link, clock, { masked })
  }
}

/** Returns untrusted words as one redacted line of limited length. */
export function showWords(text: string, show: Show): string {
  return inline(show(text), maxWords)
}

/** Returns a signed link, and its query if the query is long enough for a signature. */
export function partsOfLink(link: string): [whole: string, ...signature: string[]] {
  const query = URL.parse(link)?.search.slice(1) ?? ''
  return query.length >= minSignatureLength ? [link, query] : [link]
}

/** Returns the spellings of a value: unchanged, in JSON and in a URL. */
function spellings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const forms = [value, json, ...inUrl(value)]
  return [...new Set(forms.map(clean))].filter((form) => form.trim() !== '')
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

// The minimum length of a value that is searched for in base64, in bytes. Shorter values occur by
// chance.
const minPacked = 6

/**
 * Returns the base64 digits of a value that is part of a longer text, such as `Basic <user:token>`.
 * Base64 encodes groups of three bytes, and the value can begin at each of the three. Therefore,
 * there are three results. Digits that also depend on neighbouring bytes are left out.
 */
function inLongerBase64(value: string): string[] {
  const bytes = Buffer.from(value)
  if (bytes.length < minPacked) return []
  return [0, 1, 2].map((before) => {
    const digits = toBase64(Buffer.concat([Buffer.alloc(before), bytes]))
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64')
}

function endOf(spelling: string): string {
  return spelling.slice(-endLength)
}

function longestFirst(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((one, other) => other.length - one.length)
}

function isAnyIn(forms: readonly string[], text: string): boolean {
  return forms.some((form) => form.length <= text.length && text.includes(form))
}

/** Also removes the base64 digit on each side, because it can contain bits of the secret. */
function withoutPacked(digits: string, text: string): string {
  const parts = text.split(digits)
  const last = parts.length - 1
  return parts
    .map((part, at) => (at === 0 ? part : part.replace(/^[\w+/]/, '')))
    .map((part, at) => (at === last ? part : part.replace(/[\w+/]$/, '')))
    .join('***')
}
