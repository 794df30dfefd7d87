/** What must never be shown: told to the runner, and taken out of every text we write ourselves. */
export class Secrets {
  readonly #mask: (value: string) => void
  readonly #forms = new Set<string>()

  /** `mask` tells the runner (`core.setSecret`), which then hides the value in the step's log. */
  constructor(mask: (value: string) => void) {
    this.#mask = mask
  }

  /**
   * Hides a value, each of its lines (the runner's log is masked line by line), and each of these
   * as JSON, a URL and base64 would spell it. An empty value hides nothing.
   */
  add(value: string): void {
    const parts = [value, ...value.split(/[\r\n]+/)]
    for (const form of parts.filter((part) => part.trim() !== '').flatMap(spellings)) {
      if (this.#forms.has(form)) continue
      this.#forms.add(form)
      this.#mask(form)
    }
  }

  /** The text with every hidden value replaced by `***`; values that overlap go together. */
  redact(text: string): string {
    let shown = ''
    let end = 0
    for (const [from, to] of merge([...this.#forms].flatMap((form) => findAll(text, form)))) {
      shown += `${text.slice(end, from)}***`
      end = to
    }
    return end === 0 ? text : shown + text.slice(end)
  }
}

type Span = [from: number, to: number]

function spellings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const percent = encodeURIComponent(value.toWellFormed())
  return [value, json, percent, Buffer.from(value).toString('base64')]
}

function findAll(text: string, form: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    const last = spans.at(-1)
    if (last && at <= last[1]) last[1] = at + form.length
    else spans.push([at, at + form.length])
  }
  return spans
}

function merge(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const [from, to] of spans.sort((one, other) => one[0] - other[0])) {
    const last = merged.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
