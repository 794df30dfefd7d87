/** Collects the lines of a step. Callers can wait for a line that is printed earlier or later. */
export class LineWatch {
  readonly #lines: string[] = []
  #ended = false
  #news = Promise.withResolvers<undefined>()

  take(line: string): void {
    this.#lines.push(line)
    this.#wake()
  }

  /** Must be called after the last line. */
  end(): void {
    this.#ended = true
    this.#wake()
  }

  /** @throws Error if the step ends without a matching line. The message has the last lines. */
  async waitFor(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.#lines.find((line) => line.search(pattern) >= 0)
      if (found !== undefined) return found
      const last = this.#lines.slice(-20).join('\n')
      if (this.#ended) throw new Error(`The step ended without ${String(pattern)}:\n${last}`)
      await this.#news.promise
    }
  }

  #wake(): void {
    this.#news.resolve(undefined)
    this.#news = Promise.withResolvers<undefined>()
  }
}
