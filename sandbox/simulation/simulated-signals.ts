/** Sends signals to a step. Terminals, service managers and containers send signals in pairs. */
import { EventEmitter } from 'node:events'
import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedClock } from './simulated-clock.ts'

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** The maximum time between the two signals of a pair, in milliseconds. */
const maxGap = 100

export class SimulatedSignals {
  /** Emits the signals, as `process` does. */
  readonly source = new EventEmitter()
  /** Times of the simulated clock. */
  readonly sentAt: number[] = []
  readonly #clock: SimulatedClock
  readonly #random: SeededRandom

  constructor(clock: SimulatedClock, random: SeededRandom) {
    this.#clock = clock
    this.#random = random
  }

  send(): void {
    this.sentAt.push(this.#clock.now())
    this.source.emit(this.#random.pick(names))
  }

  /** Sends one or two signals after `span` milliseconds. Rejects when `finished` aborts. */
  async sendAfter(span: number, finished: AbortSignal): Promise<void> {
    await this.#clock.sleep(span, finished)
    this.send()
    if (this.#random.chance(0.4)) return
    await this.#clock.sleep(this.#random.pick([0, this.#random.between(0, maxGap)]), finished)
    this.send()
  }
}
