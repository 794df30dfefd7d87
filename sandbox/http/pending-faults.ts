interface Timed {
  /** The requests that the fault hits. Undefined means all. */
  on?: string
  times?: number | 'always'
  /** How many requests pass unharmed before. */
  skip?: number
}

/** The faults still to come. The first one injected for a request hits first. */
export class PendingFaults<Fault extends Timed> {
  readonly #usually: number
  #pending: { fault: Fault; skip: number; left: number }[] = []

  /** `usually`: how many requests a fault hits that does not say it. */
  constructor(usually: number) {
    this.#usually = usually
  }

  inject(fault: Fault): void {
    const { times = this.#usually, skip = 0 } = fault
    this.#pending.push({ fault, skip, left: times === 'always' ? Infinity : times })
  }

  clear(): void {
    this.#pending = []
  }

  /** The fault that hits a request of these names, used up by it. */
  take(names: readonly string[]): Fault | undefined {
    const next = this.#pending.find(({ fault: { on } }) =>
      on === undefined ? names.length > 0 : names.includes(on),
    )
    if (!next) return undefined
    if (next.skip > 0) {
      next.skip -= 1
      return undefined
    }
    next.left -= 1
    if (next.left === 0) this.#pending = this.#pending.filter((pending) => pending !== next)
    return next.fault
  }
}
