/** Removes secrets from texts, in all spellings in which texts contain them. */
import type { ExecutionStatus } from '../../service/contract.ts'
import { findLinkSecrets } from './address-secrets.ts'
import { clean, unpunctuated } from './untrusted-text.ts'

/** Returns an untrusted text as people may see it: cleaned and without secrets (`Secrets.show`). */
export type Show = (text: string) => string

// The minimum length of a piece of a secret, or of its base64. Shorter texts may occur by chance.
const minPiece = 6

// Programs break base64 after 64 or 76 characters.
const brokenBase64 = /^(?:[\w+/-]{64,76}\r?\n)+[\w+/-]{1,76}={0,2}$/gm

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
    for (const value of values) for (const line of linesOf(value)) this.mask(line)
    this.hide(...values)
  }

  /** Removes values from the texts of this action. The runner gets no mask. */
  hide(...values: readonly string[]): void {
    const whole = values.flatMap((value) => [value.trim(), ...linesOf(value)])
    // Sentences quote a text without the punctuation at its end.
    const hidden = [...whole, ...whole.map(unpunctuated)]
    this.#spellings = longestFirst([...this.#spellings, ...hidden.flatMap(spellings)])
  }

  /**
   * Cleans an untrusted text and removes secrets. People see only texts that this function returns.
   * Call the function before truncating or escaping, because a truncated or escaped secret is not
   * recognised.
   */
  readonly show: Show = (text) => {
    const joined = clean(text).replace(brokenBase64, (lines) => {
      const line = lines.replace(/[\r\n]+/g, '')
      return this.#redact(line) === line ? lines : line
    })
    return this.#redact(joined)
  }

  /** Redacts a text whose beginning was cut off. Also removes what may be the end of a secret. */
  readonly showEnd: Show = (text) => this.show(text).slice(this.#maxLength())

  /** Redacts a text whose end was cut off. Also removes what may be the beginning of a secret. */
  readonly showBeginning: Show = (text) => {
    const shown = this.show(text)
    return shown.slice(0, Math.max(0, shown.length - this.#maxLength()))
  }

  /**
   * Tells the runner to mask a value in the log. Other texts are not searched for the value. No mask
   * contains `&`: the runner would mask what stands before and after it, which may be ordinary text.
   */
  mask(value: string): void {
    const pieces = value.split('&')
    if (pieces.length > 1) {
      for (const piece of pieces) if (piece.length >= minPiece) this.mask(piece)
    } else if (value !== '' && !this.#masked.has(value)) {
      this.#masked.add(value)
      this.#mask(value)
    }
  }

  /** Returns true if a text contains a masked value. GitHub drops an output of a job that does. */
  hasMasked(text: string): boolean {
    return [...this.#masked].some((value) => spellings(value).some((form) => text.includes(form)))
  }

  #redact(text: string): string {
    return this.#spellings.reduce((shown, spelling) => shown.replaceAll(spelling, '***'), text)
  }

  /** Returns the length of the longest hidden spelling, in UTF-16 units. */
  #maxLength(): number {
    return this.#spellings[0]?.length ?? 0
  }
}

/**
 * Masks the signatures of a status record's links in the log, although no text shows a link. A link
 * may name its execution, whose id is an output.
 */
export function maskLinks(
  { result_url, logs_url }: Pick<ExecutionStatus, 'result_url' | 'logs_url'>,
  executionId: string,
  secrets: Secrets,
): void {
  const found = [result_url, logs_url].flatMap((link) => findLinkSecrets(link ?? ''))
  for (const secret of found) if (!executionId.includes(secret)) secrets.mask(secret)
}

function linesOf(value: string): string[] {
  return value.split(/[\r\n]+/).map((line) => line.trim())
}

/**
 * Returns the spellings of a value: unchanged, in JSON, in a URL and in base64. Results and lines of
 * a log are often JSON that contains other JSON as a text.
 */
function spellings(value: string): string[] {
  const json = inJson(value)
  const forms = [value, ...json, ...json.flatMap(inJson), ...inUrl(value), ...inBase64(value)]
  return [...new Set(forms.map(clean))].filter((form) => form.trim() !== '')
}

/** Some programs, for example those in PHP and pandas, escape slashes. */
function inJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  return [json, json.replaceAll('/', String.raw`\/`)]
}

/**
 * Returns the characters that stand for a value in base64, also if the encoded text has other text
 * before and after the value. A character that depends on the other text is left out.
 */
function inBase64(value: string): string[] {
  const forms = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
    const from = offset === 0 ? 0 : offset + 1
    return bytes.toString('base64').slice(from, Math.floor((bytes.length * 8) / 6))
  })
  const whole = Buffer.from(value).toString('base64')
  const ofUrl = (form: string) => form.replaceAll('+', '-').replaceAll('/', '_')
  return [whole, ...forms]
    .filter((form) => form.length >= minPiece)
    .flatMap((form) => [form, ofUrl(form)])
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
