/** Work that goes on beside other work: counted, not kept. */
export class Tasks {
  readonly #onFailure: () => void
  #open = 0
  #failures: unknown[] = []
  /** Resolves when the next one is over. */
  #next = Promise.withResolvers<undefined>()

  /** `onFailure`: at once when one fails. */
  constructor(onFailure: () => void) {
    this.#onFailure = onFailure
  }

  start(work: () => Promise<void>): void {
    this.#open += 1
    work()
      .catch((error: unknown) => {
        if (this.#failures.length === 0) this.#failures = [error]
        this.#onFailure()
      })
      .finally(() => {
        this.#open -= 1
        this.#next.resolve(undefined)
      })
  }

  /** Resolves when all that was started is over; rejects then with the first failure. */
  async settled(): Promise<void> {
    while (this.#open > 0) {
      this.#next = Promise.withResolvers()
      await this.#next.promise
    }
    if (this.#failures.length > 0) throw this.#failures[0]
  }
}
