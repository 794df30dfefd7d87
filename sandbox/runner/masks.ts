/** The values that the runner replaces with `***` in its log. */
export class Masks {
  readonly #hidden = new Set<string>()

  /** Masks the value and each of its lines, also as JSON text and percent-encoded. */
  add(value: string): void {
    for (const text of [value, ...value.split(/[\r\n]+/)]) {
      if (text === '') continue
      this.#hidden.add(text)
      this.#hidden.add(JSON.stringify(text).slice(1, -1))
      this.#hidden.add(encodeURIComponent(text.toWellFormed()))
    }
  }

  /** Replaces masked values with `***`. Values that touch or overlap become one `***`. */
  hide(text: string): string {
    const stretches = [...this.#hidden].flatMap((value) => findAll(text, value))
    if (stretches.length === 0) return text
    stretches.sort((one, other) => one.start - other.start)
    const pieces: string[] = []
    let shownTo = 0
    let hiddenTo = -1
    for (const { start, end } of stretches) {
      if (start > hiddenTo) pieces.push(text.slice(shownTo, start), '***')
      hiddenTo = Math.max(hiddenTo, end)
      shownTo = hiddenTo
    }
    return pieces.join('') + text.slice(shownTo)
  }
}

function findAll(text: string, value: string): { start: number; end: number }[] {
  const found = []
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1))
    found.push({ start, end: start + value.length })
  return found
}
