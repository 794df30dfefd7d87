import type { Clock } from '../clock.ts'

// Milliseconds: the first line comes after ten seconds, then one every 30 s to 60 s, ever more rarely.
const firstSpan = 10_000
const minSpan = 30_000
const maxSpan = 60_000
const growth = 1.25

/** Reports from now on, until it is stopped, that the step goes on. `waited`: milliseconds. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #report: (waited: number) => void
  readonly #ended = new AbortController()
  readonly #since: number

  constructor(clock: Clock, report: (waited: number) => void) {
    this.#clock = clock
    this.#report = report
    this.#since = clock.now()
    this.#beat().catch(() => undefined)
  }

  stop(): void {
    this.#ended.abort()
  }

  async #beat(): Promise<void> {
    for (let span = firstSpan; ;) {
      await this.#clock.sleep(span, this.#ended.signal)
      this.#report(this.#clock.now() - this.#since)
      span = Math.min(maxSpan, Math.max(minSpan, span * growth))
    }
  }
}
