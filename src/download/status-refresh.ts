/** Fresh status records, for fresh links, through an outage of the service. */
import { type Clock, Deadline } from '../clock.ts'
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
}

// Milliseconds. A restart of the service takes a minute at most, and a finished run's result is
// worth that. Source: docs/service.md, "Result and log links".
const maxOutage = 60_000
const firstPause = 500

/** Failed checks in a row. Moments are those of the clock. */
interface Outage {
  since: number
  failures: number
  failure: unknown
  /** No call before this moment. */
  until: number
}

/** Asks for status records. All callers share the calls, the pauses and the outage's limit. */
export class StatusRefresh {
  readonly #check: RefreshContext['check']
  readonly #clock: Clock
  readonly #deadline: number
  #pending: Promise<ExecutionStatus> | undefined
  #outage: Outage | undefined

  constructor({ check, clock, deadline }: RefreshContext) {
    this.#check = check
    this.#clock = clock
    this.#deadline = deadline
  }

  /**
   * A record asked for now. Rejects with {@link NoFreshLinkError}, or with the signal's reason where
   * it aborts while there is no outage.
   */
  async fresh(signal: AbortSignal): Promise<ExecutionStatus> {
    // Also where it was another caller that was asked to wait.
    while (!this.#hasToWaitTooLong()) {
      try {
        await this.#clock.sleep((this.#outage?.until ?? 0) - this.#clock.now(), signal)
        return await this.#checkShared(signal)
      } catch (error) {
        if (signal.aborted && this.#outage === undefined) throw error
        if (signal.aborted || this.#isFinal()) break
      }
    }
    const failure = this.#outage?.failure
    const why = messageOf(failure)
    throw new NoFreshLinkError(`no fresh link could be had: ${why}`, { cause: failure })
  }

  async #checkShared(signal: AbortSignal): Promise<ExecutionStatus> {
    this.#pending ??= this.#checkOnce(signal).finally(() => (this.#pending = undefined))
    return this.#pending
  }

  async #checkOnce(signal: AbortSignal): Promise<ExecutionStatus> {
    // In a batch it waits for its turn, and while another run's answer has asked all to wait.
    const span = Math.max(this.#deadline - this.#clock.now(), maxOutage)
    using bound = new Deadline(this.#clock, span, signal)
    try {
      const status = await this.#check(bound.signal)
      this.#outage = undefined
      return status
    } catch (error) {
      const failure = bound.signal.aborted ? new NoFreshLinkError(messageOf(error)) : error
      // A call that its caller cut short shows no outage, and another caller may still want it.
      if (!signal.aborted) this.#outage = this.#outageAfter(failure)
      throw error
    }
  }

  #outageAfter(failure: unknown): Outage {
    const now = this.#clock.now()
    const { since = now, failures: before = 0 } = this.#outage ?? {}
    const failures = before + 1
    const retryAfter = failure instanceof ServiceError ? failure.retryAfter : undefined
    const pause = pauseAfterFailure(firstPause, failures, retryAfter, () => 0)
    // The last call is made when the outage reaches its limit.
    const untilLimit = Math.max(0, since + maxOutage - now)
    const next = retryAfter === undefined ? Math.min(pause, untilLimit) : pause
    return { since, failures, failure, until: now + next }
  }

  /** `Retry-After` names a moment after the step's time. */
  #hasToWaitTooLong(): boolean {
    if (!this.#outage) return false
    const { failure, until } = this.#outage
    const asksToWait = failure instanceof ServiceError && failure.retryAfter !== undefined
    return asksToWait && until > Math.max(this.#deadline, this.#clock.now())
  }

  #isFinal(): boolean {
    if (!this.#outage) return false
    const { since, failure } = this.#outage
    // The check itself may know that there is none; so does one that had all the time there is.
    if (refusesCredentials(failure) || failure instanceof NoFreshLinkError) return true
    return this.#clock.now() - since >= maxOutage
  }
}
