/** The results of all checks so far, as one value. All times are those of one clock. */
import type { ExecutionStatus } from '../service/contract.ts'
import { HttpError, type ServiceError } from '../service/errors.ts'
import { concludeFrom } from './conclusion.ts'

export interface PollState {
  /** The last proper answer. */
  status: ExecutionStatus | undefined
  /** Why the last check failed. Undefined if it did not fail. */
  failure: ServiceError | undefined
  /** Number of failed checks in a row. */
  failures: number
  /** Number of all failed checks. */
  failedChecks: number
  failingSince: number | undefined
  /** Since when the service answers 404. */
  missingSince: number | undefined
  /** The final refusal that the service repeats, and since when. */
  rejected: { status: number; since: number } | undefined
  /** Since when a flag says that the run failed although it is not finished. */
  flaggedSince: number | undefined
  /** The end of the service's `Retry-After`. */
  heldUntil: number
  /** True if the service has failed for so long that a warning is due. */
  troubled: boolean
}

/** A 404 may be a run that the route does not know yet, and a failed run may still finish. */
export const grace = 30_000
/** A wrong request stays wrong, but a faulty deployment of the route may be repaired. */
export const rejectionGrace = 300_000
/** A shorter outage brings no warning. */
export const troubleAfter = 60_000

/** Refusals of the request itself. A redirect is not among them, because it may be maintenance. */
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

/** Other failures in between (a reset, a 502) do not end a refusal. A different refusal does. */
function rejectionOf(failure: ServiceError, before: PollState, now: number): PollState['rejected'] {
  if (!(failure instanceof HttpError) || !finalRefusals.has(failure.status)) return before.rejected
  if (before.rejected?.status === failure.status) return before.rejected
  return { status: failure.status, since: now }
}
