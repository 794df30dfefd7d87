import type { Clock } from '../clock.ts'

// The first sign of life after ten seconds; then ever more rarely, every 30 s to 60 s.
const firstBeat = 10_000
const shortestBeat = 30_000
const longestBeat = 60_000
const growth = 1.25

/** Lets a step say that it is alive, from now on until it is stopped. Spans: milliseconds. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #tell: (waited: number) => void
  readonly #ended = new AbortController()
  readonly #since: number

  constructor(clock: Clock, tell: (waited: number) => void) {
    this.#clock = clock
    this.#tell = tell
    this.#since = clock.now()
    this.#beat().catch(() => undefined)
  }

  stop(): void {
    this.#ended.abort()
  }

  async #beat(): Promise<void> {
    for (let span = firstBeat; ;) {
      await this.#clock.sleep(span, this.#ended.signal)
      this.#tell(this.#clock.now() - this.#since)
      span = Math.min(longestBeat, Math.max(shortestBeat, span * growth))
    }
  }
}
