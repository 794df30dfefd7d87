/** Measures time: the clock of the action, deadlines, and signals that end work. */
import { setTimeout as delay, setImmediate as turnOfLoop } from 'node:timers/promises'

/** The clock of the action. All times are milliseconds. Tests use a simulated clock. */
export interface Clock {
  /** Returns the milliseconds since an arbitrary moment. This time never goes back. */
  now(): number
  /** Returns the machine's date. Use this date only for display, because somebody may change it. */
  date(): Date
  /**
   * Resolves after `span` milliseconds of this clock, never earlier. Rejects with the signal's
   * reason if the signal aborts first. A `span` of more than 24 days is not supported. With
   * `ref: false`, the sleep does not keep the process alive.
   */
  sleep(span: number, signal?: AbortSignal, options?: { ref: boolean }): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  async sleep(span, signal, { ref } = { ref: true }) {
    const end = performance.now() + span
    // A timer may fire up to 1 ms before `end`, because timers count whole milliseconds.
    for (let rest = span; rest > 0; rest = end - performance.now()) {
      const options = signal ? { signal, ref } : { ref }
      await delay(Math.ceil(rest), undefined, options).catch((error: unknown) => {
        // node:timers rejects with its own AbortError, but callers need the signal's reason.
        throw signal?.aborted ? signal.reason : error
      })
    }
    // After a pause of the whole process, timers fire before responses are read. One more turn of
    // the event loop lets the step read responses that came in time.
    if (span > 0) await turnOfLoop()
    signal?.throwIfAborted()
  },
}

/** Waits for `promise`, but rejects with the signal's reason if the signal aborts first. */
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

/**
 * Returns true if `signal` ended the work that failed with `error`. The work may also fail by itself
 * shortly after the signal aborted. The error, or its cause, is the reason of the signal.
 */
export function isCausedBy(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (Error.isError(error) && error.cause === reason))
}

/** The error for a time limit that has passed. A {@link Deadline} aborts with this error. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/**
 * A time limit. Its signal aborts with a {@link TimeUp} when the time is over, or with the reason
 * of `parent` if `parent` aborts first. Disposing the deadline stops its timer.
 */
export class Deadline implements Disposable {
  at: number
  readonly signal: AbortSignal
  readonly #clock: Clock
  readonly #why: string
  readonly #timeUp = new AbortController()
  readonly #released = new AbortController()

  constructor(clock: Clock, span: number, parent?: AbortSignal, why = 'time ran out') {
    this.#clock = clock
    this.#why = why
    this.at = clock.now() + span
    this.signal = parent ? AbortSignal.any([this.#timeUp.signal, parent]) : this.#timeUp.signal
    void this.#wait()
  }

  /** Returns the milliseconds that are left until the deadline, or 0 if the deadline has passed. */
  remaining(): number {
    if (this.#timeUp.signal.aborted) return 0
    return Math.max(0, this.at - this.#clock.now())
  }

  /** Moves the deadline to `span` milliseconds from now. */
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

/** Follows another signal. Aborts `span` milliseconds later than `source`, with its reason. */
export class DelayedSignal implements Disposable {
  readonly #delayed = new AbortController()
  readonly #released = new AbortController()
  readonly signal = this.#delayed.signal

  constructor(source: AbortSignal, span: number, clock: Clock) {
    const begin = () => {
      clock.sleep(span, this.#released.signal).then(
        () => this.#delayed.abort(source.reason),
        () => undefined,
      )
    }
    if (source.aborted) begin()
    else source.addEventListener('abort', begin, { once: true, signal: this.#released.signal })
  }

  [Symbol.dispose](): void {
    this.#released.abort()
  }
}
