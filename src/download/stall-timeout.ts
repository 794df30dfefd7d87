/** How long a download may stay silent. All moments and spans are milliseconds. */
import { TimeUp, type Clock } from '../clock.ts'

export interface StallLimits {
  /** Silence after which a download is given up. */
  silence: number
  /** The same, once the step's time has run out. */
  silenceAfterDeadline: number
  /** How long a download that does bring bytes may go on after the step's time has run out. */
  longest: number
}

// Thirty seconds of nothing, through five fresh links, is a store that is down. After the
// deadline only what flows may finish: the step has to end within two seconds.
export const stallLimits: StallLimits = {
  silence: 30_000,
  silenceAfterDeadline: 1_000,
  longest: 600_000,
}

/** A watchdog: its signal aborts with {@link TimeUp} when no byte came for too long. */
export class StallTimeout implements Disposable {
  readonly signal: AbortSignal
  readonly #clock: Clock
  readonly #deadline: number
  readonly #limits: StallLimits
  readonly #timeUp = new AbortController()
  #wake = new AbortController()
  #isReleased = false
  #lastByte: number
  /** Since then: time that counts as no silence. */
  #excluded = 0
  #isSuspended = false

  /** `deadline`: the moment at which the step's time runs out. */
  constructor(clock: Clock, deadline: number, parent: AbortSignal, limits = stallLimits) {
    this.#clock = clock
    this.#deadline = deadline
    this.#limits = limits
    this.#lastByte = clock.now()
    this.signal = AbortSignal.any([this.#timeUp.signal, parent])
    void this.#keepWatch()
  }

  /** A byte came. */
  renew(): void {
    this.#lastByte = this.#clock.now()
    this.#excluded = 0
  }

  /** While `work` is done no byte can come, and before the deadline none is missed. */
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

  [Symbol.dispose](): void {
    this.#isReleased = true
    this.#wake.abort()
  }

  async #keepWatch(): Promise<void> {
    while (!this.#isReleased) {
      const rest = this.#end() - this.#clock.now()
      if (rest <= 0) {
        this.#timeUp.abort(new TimeUp('no byte came for too long'))
        return
      }
      this.#wake = new AbortController()
      await this.#clock.sleep(rest, this.#wake.signal).catch(() => undefined)
    }
  }

  #end(): number {
    const { silence, silenceAfterDeadline, longest } = this.#limits
    const silent = this.#isSuspended ? Infinity : this.#lastByte + this.#excluded + silence
    const flowing = Math.max(this.#deadline, this.#lastByte) + silenceAfterDeadline
    return Math.min(silent, flowing, this.#deadline + longest)
  }
}
