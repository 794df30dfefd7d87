/** Requests new links from the service. Repeats failed requests during a short outage. */
import { type Clock, Deadline, orAbort } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { pauseAfterFailure } from '../service/backoff.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { refusesCredentials, ServiceError } from '../service/errors.ts'

/** The service refused the request for new links, or was unreachable for too long. */
export class NoFreshLinkError extends Error {
  override readonly name = 'NoFreshLinkError'
}

export interface RefreshContext {
  /** Requests a status record. Rejects with a `ServiceError`. */
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  clock: Clock
  /** The time on `clock` when the step's timeout ends. */
  deadline: number
  cancelled: AbortSignal
}

// How long failed requests are repeated, in milliseconds. A restart of the service takes at most a
// minute. Source: docs/contributing/service.md, "Result and log links".
export const maxOutage = 60_000
const firstPause = 500

/** Requests status records. Callers at the same time share one request. */
export class StatusRefresh {
  readonly #context: RefreshContext
  #pending: Promise<ExecutionStatus> | undefined
  /** No request is sent before this time on the clock, because of a `Retry-After` header. */
  #notBefore = -Infinity
  #failure: unknown

  constructor(context: RefreshContext) {
    this.#context = context
  }

  /** Returns a new status record. Rejects with {@link NoFreshLinkError} or the signal's reason. */
  async fresh(signal: AbortSignal): Promise<ExecutionStatus> {
    signal.throwIfAborted()
    this.#pending ??= this.#ask().finally(() => (this.#pending = undefined))
    return orAbort(this.#pending, signal)
  }

  async #ask(): Promise<ExecutionStatus> {
    const { check, clock, deadline, cancelled } = this.#context
    const since = clock.now()
    // If a `Retry-After` ends after the step's timeout, no request is sent. The `Retry-After` may
    // come from an earlier call.
    let pause = 0
    for (let failures = 1; this.#notBefore <= Math.max(deadline, clock.now()); failures++) {
      await clock.sleep(Math.max(pause, this.#notBefore - clock.now()), cancelled)
      // The time limit is long, because in a batch, `check` also waits for the requests of other
      // runs and for the `Retry-After` of those requests.
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
        if (retryAfter !== undefined) this.#notBefore = clock.now() + retryAfter
        // The pause is shortened so that the last request is sent at the end of `maxOutage`.
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
