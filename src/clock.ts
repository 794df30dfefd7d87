import { setTimeout as delay, setImmediate as turnOfLoop } from 'node:timers/promises'

/** Time for this action. All spans are milliseconds. Tests use a clock of their own. */
export interface Clock {
  /**
   * Milliseconds from an arbitrary beginning. Never goes back, so all spans are measured with it.
   */
  now(): number
  /** The date as the machine has it, for showing alone: somebody may set it, back or ahead. */
  date(): Date
  /**
   * Resolves when `span` milliseconds have passed on this clock, not before. Rejects with the
   * signal's reason if the signal aborts first.
   */
  sleep(span: number, signal?: AbortSignal): Promise<void>
}

// setTimeout fires at once for spans past 2^31 - 1 ms (24.8 days).
const maxTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  async sleep(span, signal) {
    const end = performance.now() + span
    // A timer counts whole milliseconds, and may fire up to one early by this clock.
    for (let rest = span; rest > 0; rest = end - performance.now()) {
      await delay(Math.min(Math.ceil(rest), maxTimer), undefined, signal ? { signal } : {}).catch(
        (error: unknown) => {
          // node:timers rejects with a wrapper, but callers compare with the reason itself.
          throw signal?.aborted ? signal.reason : error
        },
      )
    }
    // After a pause of the whole process, timers fire before an answer is read that came in time.
    if (span > 0) await turnOfLoop()
    signal?.throwIfAborted()
  },
}

/** Settles as `promise` does, or rejects with the signal's reason when that aborts first. */
export async function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Thrown, and used as a signal's reason, when a span of time has run out. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/**
 * A time limit. Its signal aborts at that time with {@link TimeUp}, whose message is `why`, or
 * earlier with the reason of `parent`. Disposing releases the timer.
 */
export class Deadline implements Disposable {
  at: number
  readonly signal: AbortSignal
  readonly #clock: Clock
  readonly #why: string
  readonly #timeUp = new AbortController()
  #released = new AbortController()
  /** Milliseconds that were left when it was held. */
  #held: number | undefined

  constructor(clock: Clock, span: number, parent?: AbortSignal, why = 'time ran out') {
    this.#clock = clock
    this.#why = why
    this.at = clock.now() + span
    this.signal = parent ? AbortSignal.any([this.#timeUp.signal, parent]) : this.#timeUp.signal
    void this.#wait()
  }

  /** Returns the milliseconds left, never below 0. Returns 0 once the signal has aborted. */
  remaining(): number {
    if (this.#timeUp.signal.aborted) return 0
    return this.#held ?? Math.max(0, this.at - this.#clock.now())
  }

  /** Stops the time until {@link resume}. */
  hold(): void {
    this.#held ??= this.remaining()
    this.#released.abort()
  }

  resume(): void {
    if (this.#held === undefined) return
    const span = this.#held
    this.#held = undefined
    this.#released = new AbortController()
    this.at = this.#clock.now() + span
    void this.#wait()
  }

  /** Puts it off: from now on it is so many milliseconds away. */
  renew(span: number): void {
    this.at = this.#clock.now() + span
  }

  async #wait(): Promise<void> {
    const { signal } = this.#released
    for (let end = NaN; end !== this.at;) {
      end = this.at
      const span = end - this.#clock.now()
      if (span > 0) await this.#clock.sleep(span, signal).catch(() => undefined)
      if (signal.aborted) return
    }
    this.#timeUp.abort(new TimeUp(this.#why))
  }

  [Symbol.dispose](): void {
    this.#released.abort()
  }
}

/** Aborts when a span has passed after another signal did, with that one's reason. */
export class DelayedSignal implements Disposable {
  readonly #delayed = new AbortController()
  readonly #released = new AbortController()
  readonly signal = this.#delayed.signal

  constructor(before: AbortSignal, span: number, clock: Clock) {
    const begin = () => {
      clock.sleep(span, this.#released.signal).then(
        () => this.#delayed.abort(before.reason),
        () => undefined,
      )
    }
    if (before.aborted) begin()
    else before.addEventListener('abort', begin, { once: true, signal: this.#released.signal })
  }

  [Symbol.dispose](): void {
    this.#released.abort()
  }
}
