/** Logs what the step is doing. Some runners end a step that prints nothing for minutes. */
import type { Clock } from '../clock.ts'
import { describeElapsed } from '../messages/quantities.ts'
import type { Log } from './log.ts'

// The pauses between two lines, in milliseconds. The pauses become longer.
const firstSpan = 10_000
const minSpan = 30_000
const maxSpan = 60_000
const growth = 1.25

export class Heartbeat {
  readonly #log: Pick<Log, 'info'>
  readonly #clock: Clock
  readonly #finished: AbortSignal
  #phase = new AbortController()

  /** `finished` aborts when the step has ended. */
  constructor(log: Pick<Log, 'info'>, clock: Clock, finished: AbortSignal) {
    this.#log = log
    this.#clock = clock
    this.#finished = finished
  }

  /**
   * Begins a phase, for example `publishing`, and logs it regularly until the next phase begins or the
   * step ends. A function gets the milliseconds since the phase began, and returns the line.
   */
  begin(phase: string | ((waited: number) => string)): void {
    this.#phase.abort()
    this.#phase = new AbortController()
    const describe =
      typeof phase === 'string'
        ? (waited: number) => `still ${phase} after ${describeElapsed(waited)}`
        : phase
    const until = AbortSignal.any([this.#phase.signal, this.#finished])
    this.#beat(describe, until).catch(() => undefined)
  }

  async #beat(describe: (waited: number) => string, until: AbortSignal): Promise<void> {
    const since = this.#clock.now()
    for (let span = firstSpan; ;) {
      // A heartbeat alone does not keep the process alive.
      await this.#clock.sleep(span, until, { ref: false })
      this.#log.info(describe(this.#clock.now() - since))
      span = Math.min(maxSpan, Math.max(minSpan, span * growth))
    }
  }
}
