import { clean, inline, longestWords } from './untrusted-text.ts'
import { PhraseFinder, uniteSpans, type Span } from './phrase-finder.ts'
import { visibleUnits } from './visible-units.ts'

/** What must never be shown: told to the runner, and taken out of every text we write ourselves. */
export class Secrets {
  readonly #mask: (value: string) => void
  readonly #forms = new Set<string>()
  readonly #inBase64 = new Set<string>()
  /** What is hidden for a while, each with the spellings that it is looked for in. */
  readonly #passing = new Set<readonly string[]>()
  #finder: PhraseFinder | undefined

  /** `mask` tells the runner (`core.setSecret`), which then hides the value in the step's log. */
  constructor(mask: (value: string) => void) {
    this.#mask = mask
  }

  /**
   * Hides a value, each of its lines (the runner's log is masked line by line), and each of these
   * as JSON, a URL and base64 would spell it, the latter also within a longer text. An empty value
   * hides nothing.
   */
  add(value: string): void {
    const parts = [value, ...value.split(/[\r\n]+/)].filter((part) => part.trim() !== '')
    // The runner finds these by itself.
    for (const form of parts.flatMap(withinBase64)) this.#inBase64.add(form)
    for (const form of parts.flatMap(spellings)) {
      if (this.#forms.has(form)) continue
      this.#forms.add(form)
      this.#finder = undefined
      this.#mask(form)
    }
  }

  /**
   * Hides values until the function that it returns is called: values that come by the thousand and
   * are worth nothing after a minute. They are looked for as they are spelled, in JSON, in a URL and
   * in base64. The runner keeps each mask for good and looks for it in every line, so it is told one
   * text alone, `told`, whose other spellings it finds by itself.
   */
  addForNow(values: readonly string[], told: string): () => void {
    const given = values.filter((value) => value.trim() !== '')
    if (given.length === 0) return () => undefined
    const forms = [...new Set(given.flatMap(spellings))]
    this.#mask(told)
    this.#passing.add(forms)
    return () => void this.#passing.delete(forms)
  }

  /**
   * A text from outside as people may see it: every text passes through here before it gets into
   * the log, an annotation, the summary or a file that we compose. Redact before truncating or
   * escaping: a secret that is cut or full of escapes no longer matches. The text is cleaned first,
   * and secrets are looked for in what a reader sees. `isCut`: more of it was there, after its end.
   */
  show(text: string, isCut = false): string {
    return this.#redact(this.#withoutPassing(clean(text)), isCut)
  }

  /** Words of others within a line of ours: what may be shown of them, on one line, bounded. */
  words(text: string): string {
    return inline(this.show(text), longestWords)
  }

  #withoutPassing(text: string): string {
    let shown = text
    for (const forms of this.#passing) {
      for (const form of forms) if (shown.includes(form)) shown = shown.replaceAll(form, '***')
    }
    return shown
  }

  /** The text with every hidden value replaced by `***`; values that overlap go together. */
  #redact(text: string, isCut: boolean): string {
    if (this.#forms.size === 0) return text
    const forms = [...this.#forms, ...this.#inBase64]
    const finder = (this.#finder ??= new PhraseFinder(forms.flatMap(phrases)))
    // Twice, since an escape may also be the letters that it is made of.
    const plain = locate(text, finder, isCut, false)
    const spans = /[\\%&]/.test(text) ? uniteSpans(plain, locate(text, finder, isCut, true)) : plain
    return replaceSpans(text, spans)
  }
}

function spellings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const percent = encodeURIComponent(value.toWellFormed())
  return [value, json, percent, Buffer.from(value).toString('base64')]
}

// Shorter parts may be anything; longer values are links, which nobody packs with others.
const fewestPacked = 6
const mostPacked = 512

/**
 * What base64 makes of a value inside of a longer text (`Basic <user:token>`): its whole groups of
 * three bytes, for each of the three places at which the first may begin, in either alphabet.
 */
function withinBase64(value: string): string[] {
  const bytes = Buffer.from(value)
  if (bytes.length > mostPacked) return []
  return [0, 1, 2].flatMap((shift) => {
    const length = Math.floor((bytes.length - shift) / 3) * 3
    if (length < fewestPacked) return []
    const groups = bytes.subarray(shift, shift + length)
    return [groups.toString('base64'), groups.toString('base64url')]
  })
}

/** A form as it is looked for in either reading of a text. */
function phrases(form: string): Uint16Array[] {
  const text = clean(form).trim()
  return [visibleUnits(text, false).codes, visibleUnits(text, true).codes]
}

/** Where in the text the phrases stand, with all that is invisible in them. */
function locate(text: string, finder: PhraseFinder, isCut: boolean, unescape: boolean): Span[] {
  const { codes, starts, ends } = visibleUnits(text, unescape)
  return finder
    .find(codes, isCut)
    .map(([from, to]) => [starts[from] ?? text.length, ends[to - 1] ?? text.length])
}

function replaceSpans(text: string, spans: readonly Span[]): string {
  let shown = ''
  let end = 0
  for (const [from, to] of spans) {
    shown += `${text.slice(end, from)}***`
    end = to
  }
  return end === 0 ? text : shown + text.slice(end)
}
