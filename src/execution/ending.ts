/** The endings of following an execution, and what proves each of them. */
import type { ExecutionStatus } from '../service/contract.ts'
import {
  HttpError,
  NetworkError,
  NotSentError,
  refusesCredentials,
  type ServiceError,
} from '../service/errors.ts'
import { classify } from '../service/send-at-most-once.ts'
import { concludeFrom, type Conclusion, type Outcome } from './conclusion.ts'
import { grace, rejectionGrace, type PollState } from './poll-state.ts'

/** How the following of an execution ended. */
export type Ending =
  /** The service did not accept the start or was not reached, so no execution exists. */
  | { kind: 'not-started'; status: undefined; failure: unknown }
  /**
   * The start may or may not have been accepted. There is no id, and the start is not sent again.
   */
  | { kind: 'unknown-start'; status: undefined; failure: unknown }
  | { kind: 'finished'; outcome: Outcome; status: ExecutionStatus }
  | {
      kind: 'timed-out'
      status: ExecutionStatus | undefined
      /** Why the last check failed. Then nobody knows whether the run is still running. */
      failure: ServiceError | undefined
      failedChecks: number
    }
  | {
      kind: 'cancelled'
      status: ExecutionStatus | undefined
      /** Why the last check failed. */
      failure?: ServiceError | undefined
    }
  /** The service answered 404 for longer than it needs to know a new run. */
  | { kind: 'not-found'; status: ExecutionStatus | undefined; failure: HttpError }
  /** The service answered 401 or 403: the credentials do not allow checks. */
  | { kind: 'refused'; status: ExecutionStatus | undefined; failure: HttpError }
  /** The service answered the checks with the same final refusal for minutes. */
  | { kind: 'rejected'; status: ExecutionStatus | undefined; failure: HttpError }

/** An ending of an execution that was accepted. */
export type WatchEnding = Exclude<Ending, { kind: 'not-started' | 'unknown-start' }>

/** Returns the ending that the state proves, or undefined. */
export function endingOf(state: PollState, now: number): WatchEnding | undefined {
  const { status, failure, missingSince, rejected, flaggedSince } = state
  if (refusesCredentials(failure)) return { kind: 'refused', status, failure }
  if (failure instanceof HttpError) {
    if (lasted(missingSince, now, grace)) return { kind: 'not-found', status, failure }
    // Other failures do not end a refusal. But the newest answer must be this refusal.
    if (failure.status === rejected?.status && lasted(rejected.since, now, rejectionGrace)) {
      return { kind: 'rejected', status, failure }
    }
  }
  if (status?.finished || (status && lasted(flaggedSince, now, grace))) {
    return { kind: 'finished', outcome: concludeFrom(status), status }
  }
  return undefined
}

function lasted(since: number | undefined, now: number, span: number): boolean {
  return since !== undefined && now - since >= span
}

/** Returns the ending for a state when the time is over. */
export function endingInTime(state: PollState, cancelled: AbortSignal): WatchEnding {
  const { status, failure, failedChecks } = state
  if (cancelled.aborted) return { kind: 'cancelled', status, failure }
  // The service documents that a run with one of these flags has failed, finished or not.
  if (status && concludeFrom(status) !== 'success') {
    return { kind: 'finished', outcome: concludeFrom(status), status }
  }
  return { kind: 'timed-out', status, failure, failedChecks }
}

/** Returns the conclusion of an ending. */
export function conclusionOf(ending: Ending): Conclusion {
  switch (ending.kind) {
    case 'finished':
      return ending.outcome
    case 'timed-out':
    case 'cancelled':
      return ending.kind
    case 'not-started':
      return isRefusedForGood(ending.failure) ? 'refused' : 'not-started'
    case 'unknown-start':
    case 'not-found':
    case 'refused':
    case 'rejected':
      return 'unknown'
  }
}

/** Returns false for a start that did not arrive, or that the service might accept later. */
function isRefusedForGood(failure: unknown): boolean {
  const isUnsent = failure instanceof NotSentError || failure instanceof NetworkError
  return classify(failure) === 'refused' && !isUnsent
}
