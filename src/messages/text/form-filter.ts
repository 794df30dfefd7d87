/** Code units at the end of a form by which it is looked for: those of many secrets begin alike. */
const endLength = 8
/** Fewer forms are searched for one by one, which takes less time then. */
const minForms = 200

/**
 * Says in one pass over a text which of many forms it has. Searching it for each of them takes a
 * second for 1 MiB and the forms of 1,000 secrets.
 */
export class FormFilter {
  readonly #forms: readonly string[]
  /** By the hash of their ends. */
  readonly #byEnd = new Map<number, string[]>()
  /** Too short to be found by their ends. */
  readonly #short: readonly string[]
  /** By the last 16 bits of a hash: whether any end has them. It spares most look-ups. */
  readonly #isEnd = new Uint8Array(2 ** 16)

  /** `forms`: the longest first. */
  constructor(forms: readonly string[]) {
    this.#forms = forms
    this.#short = forms.filter(({ length }) => length < endLength)
    for (const form of forms.slice(0, forms.length - this.#short.length)) {
      const end = hashAt(form, form.length - endLength)
      this.#byEnd.set(end, [...(this.#byEnd.get(end) ?? []), form])
      this.#isEnd[end & 0xffff] = 1
    }
  }

  /** The longest first. */
  formsIn(text: string): string[] {
    const candidates = this.#forms.length < minForms ? this.#forms : this.#candidates(text)
    return candidates.filter((form) => form.length <= text.length && text.includes(form))
  }

  #candidates(text: string): string[] {
    const ends = new Set<number>()
    for (let at = 0; at <= text.length - endLength; at += 1) {
      const hash = hashAt(text, at)
      if (this.#isEnd[hash & 0xffff] === 1 && this.#byEnd.has(hash)) ends.add(hash)
    }
    const forms = Array.from(ends, (end) => this.#byEnd.get(end) ?? []).flat()
    return [...forms.sort((one, other) => other.length - one.length), ...this.#short]
  }
}

function hashAt(text: string, start: number): number {
  let hash = 0
  for (let at = start; at < start + endLength; at += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  }
  return hash
}
