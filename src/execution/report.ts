/** Defines how a run ended, and the report of a run. Outputs and messages are made from a report. */
import { TimeUp } from '../clock.ts'
import type { CollectedFiles } from '../download/collect.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import type { NotAccepted } from '../service/send-at-most-once.ts'
import type { Cause } from '../cause/find-cause.ts'
import type { Conclusion, ServiceOutcome } from './conclusion.ts'
import type { ResultProblems } from './result-problems.ts'
import { proofIn, type Proof, type Seen } from './seen.ts'

/** How the wait for an execution ended, before its files are fetched. */
export type WatchEnd = { executionId: string; seen: Seen } & (
  { kind: 'timed-out' } | { kind: 'cancelled' } | Proof
)

/** What became of the validation of a result. */
export type Validation =
  /** The result is valid, or there was nothing to validate. */
  | { kind: 'passed' }
  | { kind: 'invalid'; problems: ResultProblems }
  /** `why` says why the result was not validated. */
  | { kind: 'not-made'; why: string }
  /** The step was cancelled before the result of a successful run was fetched and validated. */
  | { kind: 'interrupted' }

/** The end of an execution whose end was seen, and whose files were fetched as far as possible. */
export interface Collected {
  kind: 'collected'
  executionId: string
  seen: Seen
  outcome: ServiceOutcome
  status: ExecutionStatus
  files: CollectedFiles
  /** Why the run failed, in the words of its log. */
  cause: Cause | undefined
  validation: Validation
}

/** How a run ended, as far as this step knows. */
export type End = NotAccepted | Exclude<WatchEnd, { kind: 'finished' }> | Collected

/** The facts about one of the executions of a run. */
export interface Execution {
  executionId: string
  conclusion: Conclusion
  /** Why the execution failed, in the words of its log. */
  cause: Cause | undefined
  startedOn: Date
  finishedOn: Date
}

/** The parts of a start request that people may see. */
export interface Target {
  project: string
  automation: string
  /** True if the start request names a webhook. */
  webhookGiven: boolean
}

/** Everything that is known about one run. The times are those of its newest execution. */
export interface RunReport {
  /** The automation. Undefined if this step knows only an execution id. */
  target: Target | undefined
  end: End
  /** All executions of this run that are known to exist, oldest first. */
  executions: readonly Execution[]
  /**
   * What this step saw of the newest execution: all of it, or a part of an execution that existed
   * before, or only its state at one check. Only `all` tells how long the execution took. Without an
   * execution, the value has no meaning.
   */
  watched: 'all' | 'a-part' | 'one-check'
  /**
   * When this step sent the start, or began to watch an execution that already existed. A success
   * that a re-run keeps has its own times.
   */
  startedOn: Date
  finishedOn: Date
  /** Milliseconds from `startedOn` to `finishedOn`. For watched executions, from a monotonic clock. */
  duration: number
  /** Why a due retry was not made (untrusted). Undefined if no retry was due. */
  notRetried?: string
}

/** Returns the end of a watch that has stopped. `until` aborts at the timeout or the cancellation. */
export function endOfWatch(executionId: string, seen: Seen, until: AbortSignal): WatchEnd {
  const proof = proofIn(seen)
  if (proof) return { executionId, seen, ...proof }
  // A cancellation after the timeout, during the last check, changes nothing.
  const isCancelled = until.aborted && !(until.reason instanceof TimeUp)
  return { executionId, seen, kind: isCancelled ? 'cancelled' : 'timed-out' }
}

export function conclusionOf(end: End | WatchEnd): Conclusion {
  switch (end.kind) {
    case 'refused':
    case 'timed-out':
    case 'cancelled':
      return end.kind
    case 'not-sent':
      return 'not-started'
    case 'unclear':
    case 'lost':
      return 'unknown'
    case 'finished':
      return end.outcome
    case 'collected':
      return concludeCollected(end)
  }
}

function concludeCollected({ validation, outcome }: Collected): Conclusion {
  if (validation.kind === 'interrupted') return 'cancelled'
  if (validation.kind === 'not-made') return 'unknown'
  return validation.kind === 'invalid' ? 'invalid-result' : outcome
}

/** Returns the id of the execution. Undefined if the service did not clearly accept the start. */
export function executionIdOf(end: End | WatchEnd): string | undefined {
  return 'executionId' in end ? end.executionId : undefined
}

/** Returns the newest status record of the execution, if the service sent one. */
export function statusOf(end: End): ExecutionStatus | undefined {
  return 'seen' in end ? end.seen.status : undefined
}

/** Returns why the result does not match its schema, or undefined if no mismatch was found. */
export function problemsIn(end: End): ResultProblems | undefined {
  if (end.kind !== 'collected' || end.validation.kind !== 'invalid') return undefined
  return end.validation.problems
}

/** Returns why a successful run has no result, or undefined if no result was lost. */
export function lostResultOf(
  end: End,
): Extract<DownloadedFile, { kind: 'unavailable' }> | undefined {
  if (end.kind !== 'collected' || conclusionOf(end) !== 'success') return undefined
  const { result } = end.files
  return result.kind === 'unavailable' ? result : undefined
}

/** Returns true if a report of this end is complete once the outputs are written. */
export function isReportable(end: End): boolean {
  return end.kind === 'collected' && !isIncomplete(end) && !lostResultOf(end)
}

/** Returns true if a re-run of the job takes over this execution, unless its end was reported. */
export function mayBeTakenOver(end: End): boolean {
  if (!('executionId' in end)) return false
  if (end.kind !== 'collected') return end.kind !== 'lost' || end.why !== 'not-found'
  return conclusionOf(end) === 'success' || isIncomplete(end)
}

/** Returns true if the result of a successful run was not fetched or not validated. */
function isIncomplete({ validation: { kind } }: Collected): boolean {
  return kind === 'not-made' || kind === 'interrupted'
}
