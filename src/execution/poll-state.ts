/** Keeps the results of all status checks in one value. All times come from the same clock. */
import type { ExecutionStatus } from '../service/contract.ts'
import { HttpError, refusesCredentials, type ServiceError } from '../service/errors.ts'
import { concludeFrom } from './conclusion.ts'

export interface PollState {
  /** The newest valid status record of the service. Undefined if there is no such record. */
  status: ExecutionStatus | undefined
  /** The error of the newest check. Undefined if that check succeeded. */
  failure: ServiceError | undefined
  /** The number of failed checks since the last valid answer. */
  failures: number
  /** The number of all failed checks. */
  failedChecks: number
  /**
   * When the current refusal began. The newest checks got this same refusal and nothing else.
   * Undefined if the newest check was not refused.
   */
  refusedSince: number | undefined
  /**
   * The time of the first status with a failure flag but without `finished`. Undefined if there is
   * none.
   */
  flaggedSince: number | undefined
  /** The time at which the newest `Retry-After` ends. */
  heldUntil: number
}

/**
 * How long a 404 or a failure flag must last to become final, in milliseconds. At first, the
 * service may not know a new run (404). A run with a failure flag may finish later.
 */
export const grace = 30_000
/** How long other refusals must last to become final, in milliseconds. A gateway may recover. */
export const longGrace = 300_000

export const nothingKnown: PollState = {
  status: undefined,
  failure: undefined,
  failures: 0,
  failedChecks: 0,
  refusedSince: undefined,
  flaggedSince: undefined,
  heldUntil: -Infinity,
}

/** Returns the number of checks. The checks must have stopped at the first valid answer. */
export function checksUntilAnswer({ status, failedChecks }: PollState): number {
  return failedChecks + (status ? 1 : 0)
}

export function seen(status: ExecutionStatus, before: PollState, now: number): PollState {
  const flagged = !status.finished && concludeFrom(status) !== 'success'
  return {
    ...nothingKnown,
    status,
    failedChecks: before.failedChecks,
    flaggedSince: flagged ? (before.flaggedSince ?? now) : undefined,
  }
}

export function missed(failure: ServiceError, before: PollState, now: number): PollState {
  const since = isSameRefusal(failure, before.failure) ? before.refusedSince : now
  return {
    ...before,
    failure,
    failures: before.failures + 1,
    failedChecks: before.failedChecks + 1,
    refusedSince: graceOf(failure) === undefined ? undefined : since,
    heldUntil: now + (failure.retryAfter ?? 0),
  }
}

function isSameRefusal(failure: ServiceError, before: ServiceError | undefined): boolean {
  if (!(failure instanceof HttpError) || !(before instanceof HttpError)) return false
  return failure.status === before.status && failure.isWebPage === before.isWebPage
}

/**
 * Returns how long this refusal must last to become final, in milliseconds. Returns undefined for
 * other errors, which are never final. A redirect may be due to maintenance. A web page does not
 * come from the service: a firewall or a gateway sends it, for example during a deploy.
 */
export function graceOf(failure: ServiceError | undefined): number | undefined {
  if (refusesCredentials(failure)) return 0
  if (!(failure instanceof HttpError)) return undefined
  if (failure.status === 404 && !failure.isWebPage) return grace
  return finalRefusals.has(failure.status) ? longGrace : undefined
}

const finalRefusals = new Set([400, 401, 403, 404, 405, 410, 422])
