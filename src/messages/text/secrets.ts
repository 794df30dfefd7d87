import type { Clock } from '../../clock.ts'
import type { ExecutionStatus } from '../../service/contract.ts'
import { clean, inline, maxWords } from './untrusted-text.ts'

/** A text from outside as people may see it: cleaned and free of secrets (`Secrets.show`). */
export type Show = (text: string) => string

// Milliseconds that a signed link is valid for. Source: docs/contributing/service.md,
// "Result and log links".
export const linkLife = 60_000
// A shorter query of a link is no signature, and would garble the log.
const minSignatureLength = 16

const manySpellings = 200
/** A spelling is searched by its last UTF-16 units, because beginnings are often alike. */
const endLength = 8

interface HiddenLink {
  /** A text without any of these has nothing of the link. */
  signature: readonly string[]
  spellings: readonly string[]
  clock: Clock
  until: number
}

/**
 * All secrets. The runner masks them, and they are replaced in all texts that this action composes.
 */
export class Secrets {
  readonly #mask: (value: string) => void
  readonly #masked = new Set<string>()
  /** Longest first, so that no part of a longer secret remains if it contains another one. */
  #spellings: readonly string[] = []
  /** The ends of all spellings that are long enough. */
  #ends: ReadonlySet<string> = new Set()
  /** The spellings of secrets that are base64 inside of a longer text. */
  readonly #packed = new Set<string>()
  /** In the order in which they expire. */
  readonly #links: HiddenLink[] = []

  /** `mask` has the runner hide the value in the step's log (`core.setSecret`). */
  constructor(mask: (value: string) => void) {
    this.#mask = mask
  }

  /**
   * Hides values and each of their lines for good, as they are and as JSON, URLs and base64 spell
   * them. The runner looks for a mask line by line, and finds these spellings by itself. An empty
   * value hides nothing.
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
   * Hides a signed link for as long as it lets anyone in: a batch has thousands of them, and every
   * text would be searched for all. `masked`: by the runner too, which keeps each mask for good.
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
   * A text from outside as people may see it: every text passes through here before it gets into
   * the log, an annotation, the summary or a file that we compose. Redact before truncating or
   * escaping: a secret that is cut or full of escapes no longer matches.
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

  /** Redacts a text whose beginning is missing. Removes what may be the end of a cut secret. */
  readonly showEnd: Show = (text) => this.show(text).slice(this.#maxLength())

  /** Redacts a text whose end is missing. Removes what may be the beginning of a cut secret. */
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
   * Returns the spellings that the text may contain. Searching 5,000 one by one takes 1 s a MiB.
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

  /** UTF-16 units of the longest spelling of anything hidden. */
  #maxLength(): number {
    const longest = [this.#spellings, ...this.#links.map((link) => link.spellings)]
    return Math.max(...longest.map(([first = '']) => first.length))
  }
}

/** Signed links let anyone in for 60 s: hidden before anything can go wrong with them. */
export function hideLinks(
  { result_url, logs_url }: ExecutionStatus,
  { secrets, clock }: { secrets: Secrets; clock: Clock },
  { masked }: { masked: boolean },
): void {
  for (const link of [result_url, logs_url]) {
    if (link) secrets.addLink(link, clock, { masked })
  }
}

/** Returns untrusted words for a line of this action: redacted, on one line, bounded. */
export function showWords(text: string, show: Show): string {
  return inline(show(text), maxWords)
}

/** Returns a signed link, and its query if it is long enough to be the signature. */
export function partsOfLink(link: string): [whole: string, ...signature: string[]] {
  const query = URL.parse(link)?.search.slice(1) ?? ''
  return query.length >= minSignatureLength ? [link, query] : [link]
}

/** The value as it is, as JSON and as a URL, cleaned as the texts are that it is looked for in. */
function spellings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const forms = [value, json, ...inUrl(value)]
  return [...new Set(forms.map(clean))].filter((form) => form.trim() !== '')
}

/** Escapes a value as JavaScript does, and as Python's `quote` does, in upper and lower case. */
function inUrl(value: string): string[] {
  const script = encodeURIComponent(value.toWellFormed())
  const hex = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  const python = script.replace(/[!'()*]/g, hex)
  const whole = [script, python, python.replaceAll('%2F', '/')]
  return whole.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (at) => at.toLowerCase())])
}

// The base64 of fewer bytes within a longer text may be anything.
const minPacked = 6

/**
 * The digits of base64 that the value alone decides within a longer text (`Basic <user:token>`), for
 * each of the three places in a group of three bytes at which it may begin. The digits on both sides
 * of them may hold bits of the value, too.
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

/** The text without these digits, and without the digit on each side of them. */
function withoutPacked(digits: string, text: string): string {
  const parts = text.split(digits)
  const last = parts.length - 1
  return parts
    .map((part, at) => (at === 0 ? part : part.replace(/^[\w+/]/, '')))
    .map((part, at) => (at === last ? part : part.replace(/[\w+/]$/, '')))
    .join('***')
}
