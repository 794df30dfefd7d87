/** Lets others wait for a line, whether it has been printed already or is still to come. */
export class LineWatch {
  readonly #lines: string[] = []
  readonly #waiting = new Set<(line: string | undefined) => void>()
  #ended = false

  take(line: string): void {
    this.#lines.push(line)
    for (const look of this.#waiting) look(line)
  }

  /** No further line will come. */
  end(): void {
    this.#ended = true
    for (const look of this.#waiting) look(undefined)
  }

  /** @throws Error when the step ends without such a line, with what it printed last. */
  async waitFor(pattern: RegExp): Promise<string> {
    const seen = this.#lines.find((line) => line.search(pattern) >= 0)
    if (seen !== undefined) return seen
    const failure = () =>
      new Error(`The step ended without ${String(pattern)}:\n${this.#lines.slice(-20).join('\n')}`)
    if (this.#ended) throw failure()
    return new Promise((resolve, reject) => {
      const look = (line: string | undefined) => {
        if (line !== undefined && line.search(pattern) < 0) return
        this.#waiting.delete(look)
        if (line === undefined) reject(failure())
        else resolve(line)
      }
      this.#waiting.add(look)
    })
  }
}
