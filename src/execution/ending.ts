/** Decides from the results of the status checks how an execution has ended. */
import type { ExecutionStatus } from '../service/contract.ts'
import {
  HttpError,
  NetworkError,
  NotSentError,
  refusesCredentials,
  type ServiceError,
} from '../service/errors.ts'
import { classify, type SendOutcome } from '../service/send-at-most-once.ts'
import { concludeFrom, type Conclusion, type Outcome } from './conclusion.ts'
import { grace, graceOf, type PollState } from './poll-state.ts'

/** How starting and following an execution ended. */
export type Ending =
  /** The start was not accepted or did not reach the service, so no execution exists. */
  | { kind: 'not-started'; status: undefined; failure: unknown }
  /** The service may or may not have accepted the start. The id of the execution is not known. */
  | { kind: 'unknown-start'; status: undefined; failure: unknown }
  | { kind: 'finished'; outcome: Outcome; status: ExecutionStatus }
  | {
      kind: 'timed-out'
      status: ExecutionStatus | undefined
      /** The error of the newest check. If there is an error, the state of the run is unknown. */
      failure: ServiceError | undefined
      failedChecks: number
    }
  | {
      kind: 'cancelled'
      status: ExecutionStatus | undefined
      /** The error of the newest check. Undefined if that check did not fail. */
      failure?: ServiceError | undefined
    }
  /** The service answered 404 for 30 s. After this time, even a new execution would be known. */
  | { kind: 'not-found'; status: ExecutionStatus | undefined; failure: HttpError }
  /** The service answered a check with 401 or 403, so the credentials are refused. */
  | { kind: 'refused'; status: ExecutionStatus | undefined; failure: HttpError }
  /** For 5 minutes, all checks got the same refusal, for example 400 or a web page with 403. */
  | { kind: 'rejected'; status: ExecutionStatus | undefined; failure: HttpError }

/** The ending of a start that the service did not, or not clearly, accept. */
export type StartEnding = Extract<Ending, { kind: 'not-started' | 'unknown-start' }>
/** The ending of an execution whose start the service accepted. */
export type WatchEnding = Exclude<Ending, StartEnding>

export function endingOfStart({
  kind,
  failure,
}: Exclude<SendOutcome<unknown>, { kind: 'accepted' }>): StartEnding {
  return { kind: kind === 'refused' ? 'not-started' : 'unknown-start', status: undefined, failure }
}

/** Returns the ending that the check results prove, or undefined if the ending is not proved. */
export function endingOf(state: PollState, now: number): WatchEnding | undefined {
  const { status, failure, refusedSince, flaggedSince } = state
  if (failure instanceof HttpError && lasted(refusedSince, now, graceOf(failure))) {
    return { kind: kindOfRefusal(failure), status, failure }
  }
  if (status?.finished || (status && lasted(flaggedSince, now, grace))) {
    return { kind: 'finished', outcome: concludeFrom(status), status }
  }
  return undefined
}

function lasted(since = Infinity, now: number, span = Infinity): boolean {
  return now - since >= span
}

function kindOfRefusal(failure: HttpError): 'refused' | 'not-found' | 'rejected' {
  if (refusesCredentials(failure)) return 'refused'
  return graceOf(failure) === grace ? 'not-found' : 'rejected'
}

/** Returns the ending of a wait that stopped before the check results proved an ending. */
export function endingInTime(state: PollState, cancelled: AbortSignal): WatchEnding {
  const { status, failure, failedChecks } = state
  if (cancelled.aborted) return { kind: 'cancelled', status, failure }
  // A failure flag means that the run has failed, even if the run has not finished.
  if (status && concludeFrom(status) !== 'success') {
    return { kind: 'finished', outcome: concludeFrom(status), status }
  }
  return { kind: 'timed-out', status, failure, failedChecks }
}

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

/** Returns true if the service received the start and refused it with a final answer. */
function isRefusedForGood(failure: unknown): boolean {
  const isUnsent = failure instanceof NotSentError || failure instanceof NetworkError
  return classify(failure) === 'refused' && !isUnsent
}
