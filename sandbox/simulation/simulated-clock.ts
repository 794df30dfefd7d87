/** Time and cancellation for tests and the simulation. */
import type { Clock } from '../../src/clock.ts'

/** For calls that are never cancelled. */
export const neverAborts = new AbortController().signal

interface Sleeper {
  at: number
  wake: () => void
}

/** How many milliseconds early a timer may fire. */
export const maxEarly = 1

export interface ClockOptions {
  maxJump?: number
  early?: () => number
}

/**
 * Time passes only when all code is idle. It then jumps to the end of the next sleep. Code that
 * waits for a real socket or disk looks idle, too. Set `maxJump` for such code: longer spans then
 * pass only through `advance` and `advanceToNext`. Spans are milliseconds.
 */
export class SimulatedClock implements Clock {
  /** Neither 0 nor a date, so that a test notices a span or a date in the place of a moment. */
  readonly startedAt = 1_000_000
  readonly #maxJump: number
  readonly #early: () => number
  readonly #sleepers = new Set<Sleeper>()
  #now = this.startedAt
  #jumping = false
  /** How many sleeps have ended. */
  woken = 0

  /**
   * `early` returns how early a sleep ends: a part of a millisecond, from 0 to below 1. Node's
   * timers count whole milliseconds, and may fire early by the clock.
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

  /** Milliseconds since the clock was created. */
  get elapsed(): number {
    return this.#now - this.startedAt
  }

  /** How many sleeps are running. 0 after the code under test has cleaned up. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  /** Forgets all running sleeps without ending them: the process was killed. */
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
      // A sleep takes at least 1 ms, if it was asked for that much.
      const early = Math.min(this.#early() * maxEarly, Math.max(0, span - maxEarly))
      const sleeper = { at: this.#now + span - early, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', abort)
      this.#jumpWhenIdle()
    })
  }

  /** Lets time pass, and ends all sleeps on the way in their order. */
  async advance(span: number): Promise<void> {
    const end = this.#now + span
    while (this.advanceToNext(end)) await idle()
    this.#now = Math.max(this.#now, end)
  }

  /** Ends the next sleep. Returns false if no sleep ends by the moment `limit`. */
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

/** Resolves after pending promises and immediates have run. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}
