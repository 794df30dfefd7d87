import { setTimeout as delay } from 'node:timers/promises'

/** Time as the action sees it. All spans are milliseconds; tests bring a clock of their own. */
export interface Clock {
  /** Milliseconds since a moment of its own. Never goes back: all spans are taken from it. */
  now(): number
  /** The date as the machine has it, for showing alone: somebody may set it, back or ahead. */
  date(): Date
  /** Resolves after `span` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(span: number, signal?: AbortSignal): Promise<void>
}

// setTimeout fires at once for spans past 2^31 - 1 ms (24.8 days).
const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  async sleep(span, signal) {
    for (let rest = span; rest > 0; rest -= longestTimer) {
      await delay(Math.min(rest, longestTimer), undefined, signal ? { signal } : {}).catch(
        (error: unknown) => {
          // node:timers rejects with a wrapper; callers compare with the reason itself.
          throw signal?.aborted ? signal.reason : error
        },
      )
    }
    signal?.throwIfAborted()
  },
}

/** Thrown, and used as a signal's reason, when a span of time has run out. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/**
 * One moment after which nothing goes on. Its signal aborts with {@link TimeUp} at that moment,
 * or with the reason of `parent` when that aborts first. `dispose` releases the timer.
 */
export class Deadline implements Disposable {
  readonly at: number
  readonly signal: AbortSignal
  readonly #clock: Clock
  readonly #released = new AbortController()

  constructor(clock: Clock, span: number, parent?: AbortSignal) {
    this.#clock = clock
    this.at = clock.now() + span
    const timeUp = new AbortController()
    this.signal = parent ? AbortSignal.any([timeUp.signal, parent]) : timeUp.signal
    if (span <= 0) timeUp.abort(new TimeUp('time ran out'))
    else {
      clock.sleep(span, this.#released.signal).then(
        () => timeUp.abort(new TimeUp('time ran out')),
        () => undefined,
      )
    }
  }

  /** Milliseconds left, never negative. */
  remaining(): number {
    return Math.max(0, this.at - this.#clock.now())
  }

  get passed(): boolean {
    return this.remaining() === 0
  }

  [Symbol.dispose](): void {
    this.#released.abort()
  }
}
