/** Keeps the results of all status checks in one value. All times come from the same clock. */
import type { ExecutionStatus } from '../service/contract.ts'
import { HttpError, type ServiceError } from '../service/errors.ts'
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
  failingSince: number | undefined
  /** When the current series of 404 answers began. Undefined if the newest check got no 404. */
  missingSince: number | undefined
  /** The status of the current refusals (such as 400), and the time of the first such refusal. */
  rejected: { status: number; since: number } | undefined
  /**
   * The time of the first status with a failure flag but without `finished`. Undefined if there is
   * none.
   */
  flaggedSince: number | undefined
  /** The time at which the newest `Retry-After` ends. */
  heldUntil: number
  /** True if the checks have failed for so long that a warning is due. */
  troubled: boolean
}

/**
 * How long a 404 or a failure flag must last to become final, in milliseconds. At first, the
 * service may not know a new run (404). A run with a failure flag may finish later.
 */
export const grace = 30_000
/** How long refusals must last to become final, in milliseconds. A faulty service may recover. */
export const rejectionGrace = 300_000
/** How long an outage lasts before a warning is due, in milliseconds. */
export const troubleAfter = 60_000

/**
 * The HTTP statuses that refuse the request itself. No redirect status is in this list, because a
 * service under maintenance may redirect.
 */
export const finalRefusals = new Set([400, 405, 410, 422])

export const nothingKnown: PollState = {
  status: undefined,
  failure: undefined,
  failures: 0,
  failedChecks: 0,
  failingSince: undefined,
  missingSince: undefined,
  rejected: undefined,
  flaggedSince: undefined,
  heldUntil: -Infinity,
  troubled: false,
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
  const missing = failure instanceof HttpError && failure.status === 404
  const failingSince = before.failingSince ?? now
  return {
    ...before,
    failure,
    failures: before.failures + 1,
    failedChecks: before.failedChecks + 1,
    failingSince,
    missingSince: missing ? (before.missingSince ?? now) : undefined,
    rejected: rejectionOf(failure, before, now),
    heldUntil: now + (failure.retryAfter ?? 0),
    troubled: now - failingSince >= troubleAfter,
  }
}

/**
 * Returns the current refusal. A later refusal with another status replaces the earlier refusal.
 * Other errors, such as a network error or a 502, change nothing.
 */
function rejectionOf(failure: ServiceError, before: PollState, now: number): PollState['rejected'] {
  if (!(failure instanceof HttpError) || !finalRefusals.has(failure.status)) return before.rejected
  if (before.rejected?.status === failure.status) return before.rejected
  return { status: failure.status, since: now }
}
