import type { Clock } from '../../src/clock.ts'

interface Sleeper {
  at: number
  wake: () => void
}

/** A clock that stands still until it is told to go on to the next moment that matters. */
export class SimulatedClock implements Clock {
  readonly #epoch: number
  #now = 0
  readonly #sleepers = new Set<Sleeper>()
  readonly #events = new Set<Sleeper>()

  /** `epoch`: the date at the clock's zero; other than 0, so that one never passes for the other. */
  constructor(epoch: number) {
    this.#epoch = epoch
  }

  now(): number {
    return this.#now
  }

  date(): Date {
    return new Date(this.#epoch + this.#now)
  }

  /** How many wait for a moment to come. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  async sleep(span: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (span <= 0) return
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason as Error)
      }
      const wake = () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      const sleeper = { at: this.#now + span, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  /** Something that happens in the world, whether anyone waits for it or not. */
  after(span: number, happen: () => void): void {
    this.#events.add({ at: this.#now + span, wake: happen })
  }

  /** Goes on to the next moment, and no further than `limit`; false where there is none. */
  advance(limit: number): boolean {
    let next: Sleeper | undefined
    for (const sleepers of [this.#events, this.#sleepers]) {
      for (const sleeper of sleepers) if (!next || sleeper.at < next.at) next = sleeper
    }
    if (!next || next.at > limit) return false
    this.#now = Math.max(this.#now, next.at)
    this.#sleepers.delete(next)
    this.#events.delete(next)
    next.wake()
    return true
  }

  /** Goes on to a moment at which nobody waits. */
  skipTo(moment: number): void {
    this.#sleepers.clear()
    this.#events.clear()
    this.#now = Math.max(this.#now, moment)
  }
}
