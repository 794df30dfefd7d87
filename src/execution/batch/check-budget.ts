/** The checks of all runs together: so many a second, in the order in which they were asked for. */
import type { Clock } from '../../clock.ts'
import type { Hold } from './hold.ts'
import { Semaphore } from './semaphore.ts'

const second = 1_000

export class CheckBudget {
  readonly #clock: Clock
  readonly #hold: Hold
  readonly #perSecond: number
  readonly #head = new Semaphore(1)
  /** The moments of the last `perSecond` checks, oldest first. */
  readonly #sent: number[] = []
  /** How many checks were allowed. */
  count = 0

  /** `perSecond`: Infinity lifts the budget. */
  constructor(clock: Clock, hold: Hold, perSecond: number) {
    this.#clock = clock
    this.#hold = hold
    this.#perSecond = perSecond
  }

  /** Resolves when a check may be sent. Rejects with the signal's reason. */
  async turn(signal: AbortSignal): Promise<void> {
    await this.#head.within(signal, () => this.#next(signal))
  }

  /**
   * The pause between two checks of each of so many runs that leaves a tenth of the budget to first
   * checks and fresh links. Milliseconds.
   */
  pauseFor(runs: number): number {
    return (runs * second) / (0.9 * this.#perSecond)
  }

  async #next(signal: AbortSignal): Promise<void> {
    for (let rest = this.#rest(); rest > 0; rest = this.#rest()) {
      await this.#clock.sleep(rest, signal)
    }
    this.count += 1
    if (this.#perSecond === Infinity) return
    this.#sent.push(this.#clock.now())
    if (this.#sent.length > this.#perSecond) this.#sent.shift()
  }

  #rest(): number {
    const oldest = this.#sent.length === this.#perSecond ? this.#sent[0] : undefined
    const next = (oldest ?? -Infinity) + second
    return Math.max(next - this.#clock.now(), this.#hold.remaining())
  }
}
