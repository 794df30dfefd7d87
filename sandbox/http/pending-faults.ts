interface FaultTiming {
  /** The kind of requests that the fault hits. Undefined means all requests. */
  on?: string
  times?: number | 'always'
  /** The number of matching requests that pass before the fault begins. */
  skip?: number
}

/** The injected faults that are not used up. The oldest fault that matches a request is used. */
export class PendingFaults<Fault extends FaultTiming> {
  readonly #defaultTimes: number
  #pending: { fault: Fault; skip: number; left: number }[] = []

  /** `defaultTimes` applies to a fault without `times`. */
  constructor(defaultTimes: number) {
    this.#defaultTimes = defaultTimes
  }

  inject(fault: Fault): void {
    const { times = this.#defaultTimes, skip = 0 } = fault
    this.#pending.push({ fault, skip, left: times === 'always' ? Infinity : times })
  }

  clear(): void {
    this.#pending = []
  }

  /** Counts a request with these names. Returns the fault that hits the request, or undefined. */
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
