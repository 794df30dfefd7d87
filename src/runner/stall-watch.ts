/** Bounds what should make progress: a copy, an upload. All spans are milliseconds. */
import { TimeUp, type Clock } from '../clock.ts'
import { describeElapsed } from '../messages/quantities.ts'

export interface StallLimits {
  /** How long nothing may move. */
  stall: number
  /** How long it may take in all, however well it moves. */
  longest: number
}

export const stallLimits: StallLimits = { stall: 60_000, longest: 3_600_000 }

/** Its signal aborts with {@link TimeUp} at a stall, or with the reason of `parent`. */
export class StallWatch implements Disposable {
  readonly signal: AbortSignal
  readonly #clock: Clock
  readonly #limits: StallLimits
  readonly #released = new AbortController()
  readonly #timeUp = new AbortController()
  readonly #end: number
  #lastProgress: number

  constructor(clock: Clock, parent: AbortSignal, limits = stallLimits) {
    this.#clock = clock
    this.#limits = limits
    this.#lastProgress = clock.now()
    this.#end = this.#lastProgress + limits.longest
    this.signal = AbortSignal.any([this.#timeUp.signal, parent])
    this.#keepWatch().catch(() => undefined)
  }

  /** Something moved. */
  renew(): void {
    this.#lastProgress = this.#clock.now()
  }

  /** Settles as `work` does, and rejects with the signal's reason when that comes first. */
  async bound<Value>(work: Promise<Value>): Promise<Value> {
    const { signal } = this
    const aborted = new Promise<never>((_, reject) => {
      const abort = () => reject(signal.reason as Error)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    })
    return Promise.race([work, aborted])
  }

  [Symbol.dispose](): void {
    this.#released.abort()
  }

  async #keepWatch(): Promise<void> {
    const { stall, longest } = this.#limits
    for (;;) {
      const rest = Math.min(this.#lastProgress + stall, this.#end) - this.#clock.now()
      if (rest <= 0) break
      await this.#clock.sleep(rest, this.#released.signal)
    }
    const isOverall = this.#clock.now() >= this.#end
    const why = isOverall
      ? `not done after ${describeElapsed(longest)}`
      : `no progress for ${describeElapsed(stall)}`
    this.#timeUp.abort(new TimeUp(why))
  }
}
