/** Fresh status records, for fresh links, through an outage of the service. */
import { type Clock, Deadline, orAbort } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { pauseAfterFailure } from '../service/backoff.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { refusesCredentials, ServiceError } from '../service/errors.ts'

/** The service was asked long enough, or refuses; the message says why. */
export class NoFreshLinkError extends Error {
  override readonly name = 'NoFreshLinkError'
}

/** How to ask, and for how long. */
export interface RefreshContext {
  /** Rejects with a `ServiceError`. */
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  clock: Clock
  /** The moment on `clock` at which the step's time runs out. */
  deadline: number
  cancelled: AbortSignal
}

// Milliseconds. A restart of the service takes a minute at most, and a finished run's result is
// worth that. Source: docs/service.md, "Result and log links".
const maxOutage = 60_000
const firstPause = 500

/** Asks for status records. All callers share the calls and the pauses. */
export class StatusRefresh {
  readonly #context: RefreshContext
  #pending: Promise<ExecutionStatus> | undefined
  /** No call before this moment (`Retry-After`). */
  #heldUntil = -Infinity
  #failure: unknown

  constructor(context: RefreshContext) {
    this.#context = context
  }

  /**
   * A record asked for now. Rejects with {@link NoFreshLinkError}, or with the signal's reason where
   * it aborts.
   */
  async fresh(signal: AbortSignal): Promise<ExecutionStatus> {
    signal.throwIfAborted()
    this.#pending ??= this.#ask().finally(() => (this.#pending = undefined))
    return orAbort(this.#pending, signal)
  }

  async #ask(): Promise<ExecutionStatus> {
    const { check, clock, deadline, cancelled } = this.#context
    const since = clock.now()
    // A `Retry-After` past the step's time is not waited for, not even one that a call before met.
    let pause = 0
    for (let failures = 1; this.#heldUntil <= Math.max(deadline, clock.now()); failures++) {
      await clock.sleep(Math.max(pause, this.#heldUntil - clock.now()), cancelled)
      // In a batch it waits for its turn, and while another run's answer has asked all to wait.
      const span = Math.max(deadline - clock.now(), maxOutage)
      using bound = new Deadline(clock, span, cancelled)
      try {
        return await check(bound.signal)
      } catch (error) {
        this.#failure = error
        const retryAfter = error instanceof ServiceError ? error.retryAfter : undefined
        const untilLimit = since + maxOutage - clock.now()
        const isFinal = refusesCredentials(error) || error instanceof NoFreshLinkError
        if (isFinal || bound.signal.aborted || untilLimit <= 0) break
        if (retryAfter !== undefined) this.#heldUntil = clock.now() + retryAfter
        // The last call is made when the outage reaches its limit.
        pause = Math.min(
          pauseAfterFailure(firstPause, failures, () => 0),
          untilLimit,
        )
      }
    }
    const why = messageOf(this.#failure)
    throw new NoFreshLinkError(`no fresh link could be had: ${why}`, { cause: this.#failure })
  }
}
