/** Fresh status records for fresh links, with a patience of its own while the service is down. */
import type { Clock } from '../clock.ts'
import { messageOf } from '../errors.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { HttpError, ServiceError } from '../service/errors.ts'
import { pauseAfterFailure } from '../service/backoff.ts'

/** The service gives no record any more; the message says why. */
export class NoFreshLink extends Error {
  override readonly name = 'NoFreshLink'
}

export interface RefreshContext {
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  clock: Clock
  /** The moment at which the step's time runs out. */
  deadline: number
}

// A restart of the service takes a minute at most; a result is worth waiting for it.
const stallTimeout = 60_000
const firstPause = 500

interface Trouble {
  since: number
  failures: number
  failure: unknown
  /** No call before this moment. */
  until: number
}

/** All who ask share the calls, the pauses between them, and the patience. */
export class StatusRefresh {
  readonly #context: RefreshContext
  #asking: Promise<ExecutionStatus> | undefined
  #trouble: Trouble | undefined

  constructor(context: RefreshContext) {
    this.#context = context
  }

  /** Rejects with {@link NoFreshLink}, or with the signal's reason when it aborts before trouble. */
  async fresh(signal: AbortSignal): Promise<ExecutionStatus> {
    const { clock } = this.#context
    for (;;) {
      try {
        await clock.sleep((this.#trouble?.until ?? 0) - clock.now(), signal)
        return await this.#ask(signal)
      } catch (error) {
        const failure = this.#trouble?.failure
        if (signal.aborted && failure === undefined) throw error
        if (signal.aborted || this.#isHopeless()) {
          const why = messageOf(failure)
          throw new NoFreshLink(`no fresh link could be had: ${why}`, { cause: failure })
        }
      }
    }
  }

  async #ask(signal: AbortSignal): Promise<ExecutionStatus> {
    this.#asking ??= this.#askOnce(signal).finally(() => (this.#asking = undefined))
    return this.#asking
  }

  async #askOnce(signal: AbortSignal): Promise<ExecutionStatus> {
    try {
      const status = await this.#context.check(signal)
      this.#trouble = undefined
      return status
    } catch (error) {
      // Cut by the one who asked: it tells nothing of the service, and another may still want it.
      if (!signal.aborted) this.#trouble = this.#troubleAfter(error)
      throw error
    }
  }

  #troubleAfter(failure: unknown): Trouble {
    const now = this.#context.clock.now()
    const { since = now, failures: before = 0 } = this.#trouble ?? {}
    const failures = before + 1
    const retryAfter = failure instanceof ServiceError ? failure.retryAfter : undefined
    const pause = pauseAfterFailure(firstPause, failures, retryAfter, () => 0)
    // The last call is made when the patience ends.
    const end =
      retryAfter === undefined ? Math.min(pause, Math.max(0, since + stallTimeout - now)) : pause
    return { since, failures, failure, until: now + end }
  }

  #isHopeless(): boolean {
    if (!this.#trouble) return false
    const { since, failure, until } = this.#trouble
    if (failure instanceof HttpError && [401, 403].includes(failure.status)) return true
    const isHeld = failure instanceof ServiceError && failure.retryAfter !== undefined
    if (isHeld && until > this.#context.deadline) return true
    return this.#context.clock.now() - since >= stallTimeout
  }
}
