/** The ways in which the following of an execution ends, and what proves each. */
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

/** "Not finished yet" is not one of them. */
export type Ending =
  /** The service did not take the start, or was not reached: nothing runs. */
  | { kind: 'not-started'; status: undefined; failure: unknown }
  /** It may or may not have taken it: there is no id, and the start is not sent again. */
  | { kind: 'unknown-start'; status: undefined; failure: unknown }
  | { kind: 'finished'; outcome: Outcome; status: ExecutionStatus }
  | {
      kind: 'timed-out'
      status: ExecutionStatus | undefined
      /** Why the last check failed: then nobody knows whether the run goes on. */
      failure: ServiceError | undefined
      failedChecks: number
    }
  | {
      kind: 'cancelled'
      status: ExecutionStatus | undefined
      /** Why the last check failed, as above. */
      failure?: ServiceError | undefined
    }
  /** 404 for longer than a service needs to know of a run it has just accepted. */
  | { kind: 'not-found'; status: ExecutionStatus | undefined; failure: HttpError }
  /** 401 or 403: the credentials do not, or no longer, allow to watch. */
  | { kind: 'refused'; status: ExecutionStatus | undefined; failure: HttpError }
  /** The same final refusal of the checks themselves, for minutes. */
  | { kind: 'rejected'; status: ExecutionStatus | undefined; failure: HttpError }

/** How the following of an execution ends that was accepted. */
export type WatchEnding = Exclude<Ending, { kind: 'not-started' | 'unknown-start' }>

/** The ending that the state proves, if it does. */
export function endingOf(state: PollState, now: number): WatchEnding | undefined {
  const { status, failure, missingSince, rejected, flaggedSince } = state
  if (refusesCredentials(failure)) return { kind: 'refused', status, failure }
  if (failure instanceof HttpError) {
    if (lasted(missingSince, now, grace)) return { kind: 'not-found', status, failure }
    // Other failures may have come between, but the last one must be that refusal again.
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

/** The ending when no time is left: what the last state shows then counts. */
export function endingInTime(state: PollState, cancelled: AbortSignal): WatchEnding {
  const { status, failure, failedChecks } = state
  if (cancelled.aborted) return { kind: 'cancelled', status, failure }
  // "When error or container_error is true the run failed", finished or not.
  if (status && concludeFrom(status) !== 'success') {
    return { kind: 'finished', outcome: concludeFrom(status), status }
  }
  return { kind: 'timed-out', status, failure, failedChecks }
}

/** The conclusion that an ending comes to. */
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

/** Not of a start that did not arrive, or that the service might have accepted later. */
function isRefusedForGood(failure: unknown): boolean {
  const isUnsent = failure instanceof NotSentError || failure instanceof NetworkError
  return classify(failure) === 'refused' && !isUnsent
}
