/** A clock that jumps to the next timer instead of waiting. */
import type { Clock } from '../../src/clock.ts'

/** A signal for calls that are never cancelled. */
export const neverAborts = new AbortController().signal

interface Sleeper {
  at: number
  /** False if the clock does not jump because of this sleep, as it does not keep a process alive. */
  ref: boolean
  wake: () => void
}

/** How much too early a timer may fire, in milliseconds. */
export const maxEarly = 1

export interface ClockOptions {
  maxJump?: number
  early?: () => number
}

/**
 * Time passes only when all code is idle. The clock then jumps to the end of the next sleep. Code
 * that waits for a real socket or disk also looks idle. For such code, set `maxJump`. The clock then
 * makes longer jumps only in `advance` and `advanceToNext`. All times are in milliseconds.
 */
export class SimulatedClock implements Clock {
  /** This time is neither 0 nor a date, so that tests detect confused times, spans and dates. */
  readonly startedAt = 1_000_000
  readonly #maxJump: number
  readonly #early: () => number
  readonly #sleepers = new Set<Sleeper>()
  #now = this.startedAt
  #jumping = false
  /** How many sleeps have ended because their time has passed. */
  woken = 0

  /**
   * `early` returns how much too early a sleep ends, in milliseconds: at least 0 and less than 1.
   * Node's timers count whole milliseconds, so a timer may fire early.
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

  /** The time since the clock was created. */
  get elapsed(): number {
    return this.#now - this.startedAt
  }

  /** How many sleeps are running. The number is 0 after the code under test has cleaned up. */
  get sleeping(): number {
    return [...this.#sleepers].filter(({ ref }) => ref).length
  }

  /** Forgets all running sleeps without ending them. Call this after the process was killed. */
  forgetSleepers(): void {
    this.#sleepers.clear()
  }

  async sleep(span: number, signal?: AbortSignal, { ref } = { ref: true }): Promise<void> {
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
      // A sleep of 1 ms or more takes at least 1 ms.
      const early = Math.min(this.#early() * maxEarly, Math.max(0, span - maxEarly))
      const sleeper = { at: this.#now + span - early, ref, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', abort)
      if (ref) this.#jumpWhenIdle()
    })
  }

  /** Advances the clock by `span`. Ends all sleeps of this time in their order. */
  async advance(span: number): Promise<void> {
    const end = this.#now + span
    while (this.advanceToNext(end)) await idle()
    this.#now = Math.max(this.#now, end)
  }

  /** Ends the next sleep. Returns false if no sleep of `ref: true` is running or none ends by `limit`. */
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
    let isAwaited = false
    for (const sleeper of this.#sleepers) {
      if (!earliest || sleeper.at < earliest.at) earliest = sleeper
      isAwaited ||= sleeper.ref
    }
    return isAwaited ? earliest : undefined
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
