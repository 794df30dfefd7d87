/** Time and cancellation as tests control them. */
import type { Clock } from '../../src/clock.ts'

/** For what is never cancelled. */
export const neverAborts = new AbortController().signal

interface Sleeper {
  at: number
  wake: () => void
}

/**
 * Time that passes only when no promise or immediate is pending: it then jumps to the next sleeper.
 * Real sockets and disks look idle from here; where they are awaited too, `longestJump` keeps the
 * clock from running ahead of them: longer spans then pass by `advance` alone. Milliseconds.
 */
export class SimulatedClock implements Clock {
  readonly startedAt = Date.UTC(2026, 0, 1)
  readonly #longestJump: number
  readonly #sleepers = new Set<Sleeper>()
  #now = this.startedAt
  #jumping = false

  constructor({ longestJump = Infinity }: { longestJump?: number } = {}) {
    this.#longestJump = longestJump
  }

  now(): number {
    return this.#now
  }

  date(): Date {
    return new Date(this.#now)
  }

  /** Milliseconds since the clock was made. */
  get elapsed(): number {
    return this.#now - this.startedAt
  }

  /** How many are asleep: none, once a test's subject has cleaned up. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  async sleep(span: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (span <= 0) return
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', abort)
      }
      const abort = () => {
        leave()
        reject(signal?.reason as Error)
      }
      const wake = () => {
        leave()
        resolve()
      }
      const sleeper = { at: this.#now + span, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', abort)
      this.#jumpWhenIdle()
    })
  }

  /** Lets time pass, waking everyone on the way in the order of their moments. */
  async advance(span: number): Promise<void> {
    const end = this.#now + span
    for (let next = this.#next(); next && next.at <= end; next = this.#next()) {
      this.#wake(next)
      await idle()
    }
    this.#now = end
  }

  #jumpWhenIdle(): void {
    if (this.#jumping) return
    this.#jumping = true
    void idle().then(() => {
      this.#jumping = false
      const next = this.#next()
      if (!next || next.at - this.#now > this.#longestJump) return
      this.#wake(next)
      this.#jumpWhenIdle()
    })
  }

  #next(): Sleeper | undefined {
    let earliest: Sleeper | undefined
    for (const sleeper of this.#sleepers) {
      if (!earliest || sleeper.at < earliest.at) earliest = sleeper
    }
    return earliest
  }

  #wake(sleeper: Sleeper): void {
    this.#now = Math.max(this.#now, sleeper.at)
    sleeper.wake()
  }
}

/** All that promises and immediates have to do is done. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}
