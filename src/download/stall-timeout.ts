/** The stall timeout of a download: how long it may go without a byte. */
import { TimeUp, type Clock } from '../clock.ts'

/** Bounds of a download. All spans are milliseconds. */
export interface StallLimits {
  /** How long a download may go without a byte. */
  stall: number
  /** How long a download that receives bytes may go on after the step's time has run out. */
  maxAfterDeadline: number
}

// Thirty seconds without a byte, through up to five links, are a store that is down.
export const stallLimits: StallLimits = {
  stall: 30_000,
  maxAfterDeadline: 600_000,
}

/** A watchdog: its signal aborts with {@link TimeUp} when no byte came for too long. */
export class StallTimeout implements Disposable {
  readonly signal: AbortSignal
  readonly #clock: Clock
  /** When it ends, however many bytes come. */
  readonly #last: number
  readonly #limits: StallLimits
  readonly #timeUp = new AbortController()
  #wake = new AbortController()
  #isReleased = false
  #lastByte: number
  /** Milliseconds since the last byte during which none could come. */
  #excluded = 0
  #isSuspended = false

  /**
   * @param deadline the moment on `clock` at which the step's time runs out
   * @param parent when it aborts, `signal` does so with its reason
   */
  constructor(clock: Clock, deadline: number, parent: AbortSignal, limits = stallLimits) {
    this.#clock = clock
    this.#last = deadline + limits.maxAfterDeadline
    this.#limits = limits
    this.#lastByte = clock.now()
    this.signal = AbortSignal.any([this.#timeUp.signal, parent])
    void this.#watch()
  }

  /** A byte came: the time starts anew. */
  renew(): void {
    this.#lastByte = this.#clock.now()
    this.#excluded = 0
  }

  /** Runs `work`, during which no byte can come: its time is not counted. */
  async suspend<Value>(work: () => Promise<Value>): Promise<Value> {
    const since = this.#clock.now()
    this.#isSuspended = true
    try {
      return await work()
    } finally {
      this.#isSuspended = false
      this.#excluded += this.#clock.now() - since
      this.#wake.abort()
    }
  }

  /** Releases the timer; the signal does not abort by time any more. */
  [Symbol.dispose](): void {
    this.#isReleased = true
    this.#wake.abort()
  }

  async #watch(): Promise<void> {
    while (!this.#isReleased) {
      const rest = this.#end() - this.#clock.now()
      if (rest <= 0) {
        this.#timeUp.abort(new TimeUp(this.#why()))
        return
      }
      this.#wake = new AbortController()
      await this.#clock.sleep(rest, this.#wake.signal).catch(() => undefined)
    }
  }

  #why(): string {
    const { stall, maxAfterDeadline } = this.#limits
    return this.#stalledAt() <= this.#last
      ? `no byte came for ${String(stall / 1000)} s`
      : `it had not come ${String(maxAfterDeadline / 60_000)} min after the input timeout ran out`
  }

  #end(): number {
    return Math.min(this.#stalledAt(), this.#last)
  }

  #stalledAt(): number {
    return this.#isSuspended ? Infinity : this.#lastByte + this.#excluded + this.#limits.stall
  }
}
