/** The values that the runner replaces with `***` in its log. */
export class Masks {
  readonly #hidden = new Set<string>()

  /**
   * Masks the value and each of its lines, also as JSON text and percent-encoded, and the pieces of
   * a value with `&`.
   */
  add(value: string): void {
    const lines = [value, ...value.split(/[\r\n]+/)]
    for (const text of [...lines, ...lines.flatMap(piecesOf)]) {
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

// The minimum length of a piece that the runner masks.
const minPiece = 6

/**
 * Returns what GitHub's runner masks besides a value with `&`, because PowerShell may print the parts
 * of a command on their own: the text up to the first `&+` or the last `&`, and the text after it.
 * After `&+`, one character is left out.
 */
function piecesOf(value: string): string[] {
  const plus = value.indexOf('&+')
  const end = plus >= 0 ? plus + 2 : value.lastIndexOf('&') + 1
  if (end === 0) return []
  const pieces = [value.slice(0, end), value.slice(plus >= 0 ? end + 1 : end)]
  return pieces.filter((piece) => piece.length >= minPiece)
}

function findAll(text: string, value: string): { start: number; end: number }[] {
  const found = []
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1))
    found.push({ start, end: start + value.length })
  return found
}
