/** Time and cancellation as tests and simulation control them. */
import type { Clock } from '../../src/clock.ts'

/** For what is never cancelled. */
export const neverAborts = new AbortController().signal

interface Sleeper {
  at: number
  wake: () => void
}

/** By how many milliseconds a timer may fire early. */
export const maxEarly = 1

export interface ClockOptions {
  maxJump?: number
  early?: () => number
}

/**
 * Time that passes only when nobody has anything left to do: it then jumps to the next sleeper.
 * Where real sockets or disks are awaited too, which look idle from here, `maxJump` keeps it
 * from running ahead of them: longer spans then pass by `advance` or `advanceToNext` alone. Spans
 * are milliseconds.
 */
export class SimulatedClock implements Clock {
  /** Neither 0 nor a date, so that a span or a date that passes for a moment shows in a test. */
  readonly startedAt = 1_000_000
  readonly #maxJump: number
  readonly #early: () => number
  readonly #sleepers = new Set<Sleeper>()
  #now = this.startedAt
  #jumping = false
  /** How many have been woken so far. */
  woken = 0

  /**
   * `early`: by which part of a millisecond a sleeper wakes too early, from 0 to below 1. Timers do
   * (Node's count whole milliseconds), and code that needs to wake no earlier than it asked for has
   * to look at the clock.
   */
  constructor({ maxJump = Infinity, early = () => 0 }: ClockOptions = {}) {
    this.#maxJump = maxJump
    this.#early = early
  }

  now(): number {
    return this.#now
  }

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.elapsed)
  }

  /** Milliseconds since the clock was made. */
  get elapsed(): number {
    return this.#now - this.startedAt
  }

  /** How many are asleep: none, once the code under test has cleaned up. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  /** Nobody who is asleep wakes any more: their process was killed. */
  forgetSleepers(): void {
    this.#sleepers.clear()
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
      // No timer is shorter than that.
      const early = Math.min(this.#early() * maxEarly, Math.max(0, span - maxEarly))
      const sleeper = { at: this.#now + span - early, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', abort)
      this.#jumpWhenIdle()
    })
  }

  /** Lets time pass, waking everyone on the way in the order of their moments. */
  async advance(span: number): Promise<void> {
    const end = this.#now + span
    while (this.advanceToNext(end)) await idle()
    this.#now = Math.max(this.#now, end)
  }

  /** Wakes the next sleeper, if its moment comes by `limit`; false where there is none. */
  advanceToNext(limit: number): boolean {
    const next = this.#next()
    if (!next || next.at > limit) return false
    this.#wake(next)
    return true
  }

  #jumpWhenIdle(): void {
    if (this.#jumping || this.#maxJump === 0) return
    this.#jumping = true
    void idle().then(() => {
      this.#jumping = false
      if (this.advanceToNext(this.#now + this.#maxJump)) this.#jumpWhenIdle()
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
    this.woken++
    sleeper.wake()
  }
}

/** All that promises and immediates have to do is done. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}
