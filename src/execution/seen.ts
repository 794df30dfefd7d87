/**
 * Keeps what the status checks of one execution have shown in one value, and decides what this
 * value proves. All functions are pure. All times are milliseconds of the same clock.
 */
import type { ExecutionStatus } from '../service/contract.ts'
import { HttpError, refusesCredentials, type ServiceError } from '../service/service-errors.ts'
import { concludeFrom, type ServiceOutcome } from './conclusion.ts'

export interface Seen {
  /** The number of all checks that got an answer or failed. */
  checks: number
  /** The number of all failed checks. */
  failedChecks: number
  /** The time of the newest check. */
  at: number
  /** The newest valid status record of the service. Undefined if there is no such record. */
  status: ExecutionStatus | undefined
  /** The error of the newest check. Undefined if that check succeeded. */
  failure: ServiceError | undefined
  /** The number of failed checks since the last valid answer. */
  failures: number
  /**
   * When the current refusal began. The newest checks got this same refusal and nothing else.
   * Infinity if the newest check was not refused.
   */
  refusedSince: number
  /**
   * The time of the first status with a failure flag but without `finished`. Infinity if there is
   * none.
   */
  flaggedSince: number
  /** The time at which the newest `Retry-After` ends. */
  heldUntil: number
}

export const nothingSeen: Seen = {
  checks: 0,
  failedChecks: 0,
  at: -Infinity,
  status: undefined,
  failure: undefined,
  failures: 0,
  refusedSince: Infinity,
  flaggedSince: Infinity,
  heldUntil: -Infinity,
}

/**
 * How long a 404, refused credentials that were accepted before, or a failure flag must last to
 * become final, in milliseconds. At first, the service may not know a new run (404). A service under
 * load may refuse credentials once. A run with a failure flag may finish later.
 */
export const grace = 30_000
/** How long other refusals must last to become final, in milliseconds. A gateway may recover. */
export const longGrace = 300_000

export function afterAnswer(before: Seen, status: ExecutionStatus, at: number): Seen {
  return {
    ...nothingSeen,
    checks: before.checks + 1,
    failedChecks: before.failedChecks,
    at,
    status,
    flaggedSince: isFlagged(status) ? Math.min(before.flaggedSince, at) : Infinity,
  }
}

export function afterFailure(before: Seen, failure: ServiceError, at: number): Seen {
  const since = isSameRefusal(failure, before.failure) ? before.refusedSince : at
  return {
    ...before,
    checks: before.checks + 1,
    failedChecks: before.failedChecks + 1,
    at,
    failure,
    failures: before.failures + 1,
    refusedSince: graceOf(failure) === Infinity ? Infinity : since,
    heldUntil: at + (failure.retryAfter ?? 0),
  }
}

/** The end of an execution, or of the checks, that the results of the checks prove. */
export type Proof =
  | { kind: 'finished'; outcome: ServiceOutcome; status: ExecutionStatus }
  | { kind: 'lost'; why: LossReason; failure: HttpError }

/**
 * Why an execution can no longer be watched: 401 or 403 (only this for 30 s, if the credentials were
 * accepted before), only 404 for 30 s, or the same other refusal for 5 minutes.
 */
type LossReason = 'credentials' | 'not-found' | 'rejected'

/** Returns the proof as of the newest check, or undefined if nothing is proved. */
export function proofIn(seen: Seen): Proof | undefined {
  const { at, status, failure, refusedSince, flaggedSince } = seen
  if (failure instanceof HttpError && at - refusedSince >= graceOf(failure)) {
    return { kind: 'lost', why: reasonOf(failure), failure }
  }
  if (status && (status.finished || at - flaggedSince >= grace)) {
    return { kind: 'finished', outcome: concludeFrom(status), status }
  }
  return undefined
}

/** Returns the times at which a running grace ends and the next check may prove an end. */
export function graceEnds({ failure, refusedSince, flaggedSince }: Seen): number[] {
  return [refusedSince + (failure ? graceOf(failure) : Infinity), flaggedSince + grace]
}

/** Returns true for a run that has a failure flag and has not finished. */
export function isFlagged(status: ExecutionStatus | undefined): status is ExecutionStatus {
  return status !== undefined && !status.finished && concludeFrom(status) !== 'success'
}

function isSameRefusal(failure: ServiceError, before: ServiceError | undefined): boolean {
  if (!(failure instanceof HttpError) || !(before instanceof HttpError)) return false
  return failure.status === before.status && failure.isWebPage === before.isWebPage
}

/**
 * Returns how long this refusal must last to become final, in milliseconds. Returns Infinity for
 * other errors, which are never final. A redirect may be due to maintenance. A web page does not
 * come from the service: a firewall or a gateway sends it, for example during a deploy.
 */
export function graceOf(failure: ServiceError): number {
  if (refusesCredentials(failure)) return failure.isProven ? grace : 0
  if (!(failure instanceof HttpError)) return Infinity
  if (failure.status === 404 && !failure.isWebPage) return grace
  return finalRefusals.has(failure.status) ? longGrace : Infinity
}

const finalRefusals = new Set([400, 401, 403, 404, 405, 410, 422])

function reasonOf(failure: HttpError): LossReason {
  if (refusesCredentials(failure)) return 'credentials'
  return graceOf(failure) === grace ? 'not-found' : 'rejected'
}
