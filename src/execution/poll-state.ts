/** What the checks of one watch have shown so far. All moments are those of the watch's clock. */
import type { ExecutionStatus } from '../service/contract.ts'
import { HttpError, type ServiceError } from '../service/errors.ts'
import { concludeFrom } from './conclusion.ts'

export interface PollState {
  /** The last proper answer. */
  status: ExecutionStatus | undefined
  /** Why the last check failed; undefined where it did not. */
  failure: ServiceError | undefined
  /** How many failed in a row. */
  failures: number
  /** How many failed in all. */
  failedChecks: number
  failingSince: number | undefined
  /** Since when the service says that it knows no such execution. */
  missingSince: number | undefined
  /** The final refusal that the service keeps to, and since when. */
  rejected: { status: number; since: number } | undefined
  /** Since when a flag says that the run failed, without its being finished. */
  flaggedSince: number | undefined
  /** Until when the service asked not to be called (`Retry-After`). */
  heldUntil: number
  /** Whether the service has failed for so long that it deserves a warning. */
  troubled: boolean
}

/** A 404 may be a run that the status route does not know yet; a failed run may still finish. */
export const grace = 30_000
/** A check that is wrong in itself stays wrong; a deployment that broke the route may be mended. */
export const rejectionGrace = 300_000
/** A service in trouble for shorter is not worth a warning. */
const troubleAfter = 60_000

/** Refusals of the call as it is. A redirect is none: it may be maintenance. */
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

/** Other failures in between (a reset, a 502) prove nothing; another final refusal begins anew. */
function rejectionOf(failure: ServiceError, before: PollState, now: number): PollState['rejected'] {
  if (!(failure instanceof HttpError) || !finalRefusals.has(failure.status)) return before.rejected
  if (before.rejected?.status === failure.status) return before.rejected
  return { status: failure.status, since: now }
}
