/** Requests new status records for new links, also through an outage of the service. */
import { type Clock, Deadline, orAbort } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { pauseAfterFailure } from '../service/backoff.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { refusesCredentials, ServiceError } from '../service/errors.ts'

/** The service refused, or did not answer for too long. The message says why. */
export class NoFreshLinkError extends Error {
  override readonly name = 'NoFreshLinkError'
}

export interface RefreshContext {
  /** Rejects with a `ServiceError`. */
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  clock: Clock
  /** The time on `clock` when the step's timeout ends. */
  deadline: number
  cancelled: AbortSignal
}

// Milliseconds. A restart of the service takes at most a minute, and the result of a finished run
// is worth that wait. Source: docs/contributing/service.md, "Result and log links".
export const maxOutage = 60_000
const firstPause = 500

/** Requests status records. Callers at the same time share one request. */
export class StatusRefresh {
  readonly #context: RefreshContext
  #pending: Promise<ExecutionStatus> | undefined
  /** No request is sent before this time (`Retry-After`). */
  #heldUntil = -Infinity
  #failure: unknown

  constructor(context: RefreshContext) {
    this.#context = context
  }

  /**
   * Returns a record that is requested now. Rejects with {@link NoFreshLinkError}, or with the
   * signal's reason if the signal aborts.
   */
  async fresh(signal: AbortSignal): Promise<ExecutionStatus> {
    signal.throwIfAborted()
    this.#pending ??= this.#ask().finally(() => (this.#pending = undefined))
    return orAbort(this.#pending, signal)
  }

  async #ask(): Promise<ExecutionStatus> {
    const { check, clock, deadline, cancelled } = this.#context
    const since = clock.now()
    // A `Retry-After` that ends after the step's timeout is not waited for, even if it came with an
    // earlier response.
    let pause = 0
    for (let failures = 1; this.#heldUntil <= Math.max(deadline, clock.now()); failures++) {
      await clock.sleep(Math.max(pause, this.#heldUntil - clock.now()), cancelled)
      // In a batch, this request waits for its turn, and for a `Retry-After` that another run
      // received.
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
        // The last request is sent when the outage reaches its limit.
        pause = Math.min(
          pauseAfterFailure(firstPause, failures, () => 0),
          untilLimit,
        )
      }
    }
    const why = messageOf(this.#failure)
    throw new NoFreshLinkError(`no new link could be fetched: ${why}`, { cause: this.#failure })
  }
}
