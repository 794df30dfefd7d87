/** How long a download may stay silent. All moments and spans are milliseconds. */
import { TimeUp, type Clock } from '../clock.ts'

export interface PatienceLimits {
  /** Silence after which a download is given up. */
  silence: number
  /** The same, once the step's time has run out. */
  silenceAfterDeadline: number
  /** How long a download that does bring bytes may go on after the step's time has run out. */
  longest: number
}

// Thirty seconds of nothing, through five fresh links, is a store that is down. After the
// deadline only what flows may finish: the step has to end within two seconds.
export const patienceLimits: PatienceLimits = {
  silence: 30_000,
  silenceAfterDeadline: 1_000,
  longest: 600_000,
}

/** A watchdog: its signal aborts with {@link TimeUp} when no byte came for too long. */
export class Patience implements Disposable {
  readonly signal: AbortSignal
  readonly #clock: Clock
  readonly #deadline: number
  readonly #limits: PatienceLimits
  readonly #released = new AbortController()
  readonly #timeUp = new AbortController()
  #lastByte: number

  /** `deadline`: the moment at which the step's time runs out. */
  constructor(clock: Clock, deadline: number, parent: AbortSignal, limits = patienceLimits) {
    this.#clock = clock
    this.#deadline = deadline
    this.#limits = limits
    this.#lastByte = clock.now()
    this.signal = AbortSignal.any([this.#timeUp.signal, parent])
    this.#keepWatch().catch(() => undefined)
  }

  /** A byte came. */
  renew(): void {
    this.#lastByte = this.#clock.now()
  }

  [Symbol.dispose](): void {
    this.#released.abort()
  }

  async #keepWatch(): Promise<void> {
    for (;;) {
      const rest = this.#end() - this.#clock.now()
      if (rest <= 0) break
      await this.#clock.sleep(rest, this.#released.signal)
    }
    this.#timeUp.abort(new TimeUp('no byte came for too long'))
  }

  #end(): number {
    const { silence, silenceAfterDeadline, longest } = this.#limits
    const flowing = Math.max(this.#deadline, this.#lastByte) + silenceAfterDeadline
    return Math.min(this.#lastByte + silence, flowing, this.#deadline + longest)
  }
}
