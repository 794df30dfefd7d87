import type { CollectedFiles } from '../download/collect.ts'
import type { Cause } from './cause.ts'
import type { Conclusion } from './conclusion.ts'
import type { Ending } from './ending.ts'
import type { ResultProblems } from './result-problems.ts'

/** One execution of a step, finished or not. */
export interface ExecutionAttempt {
  executionId: string
  conclusion: Conclusion
  /** Why it failed, in the words of its log. */
  cause: Cause | undefined
  startedOn: Date
  finishedOn: Date
}

/** Why a due retry was not made. */
export type NotRetried =
  | { kind: 'time-up' }
  | { kind: 'cancelled' }
  /** The service did not accept the start or was not reached. */
  | { kind: 'refused'; failure: unknown }

/** Everything that is known of one execution. All reporting is made from this value. */
export interface ExecutionReport {
  /** Undefined if another step started the execution and its project is not known. */
  project: string | undefined
  automation: string | undefined
  /** True if the start named a webhook. Undefined if that is not known. */
  webhookGiven: boolean | undefined
  /** Undefined if the start was not accepted, or may not have been. */
  executionId: string | undefined
  ending: Ending
  conclusion: Conclusion
  /** The time of the start, or of the first look at an execution that was started before. */
  startedOn: Date
  finishedOn: Date
  /** Milliseconds between both times, from a monotonic clock. */
  duration: number
  /** The number of status requests while waiting. */
  checks: number
  /** The fetched files of the run. Undefined if its end was not seen. */
  files: CollectedFiles | undefined
  /** If a retry's start got no clear answer: the files of the execution before it. */
  filesBefore?: CollectedFiles | undefined
  /** Why the run failed, in the words of its log. */
  cause: Cause | undefined
  /** Why the result does not match the schema. Undefined if it matches or there is no schema. */
  resultProblems?: ResultProblems | undefined
  /** Every execution of the step that exists for certain, oldest first. */
  attempts: readonly ExecutionAttempt[]
  /** Why a due retry was not made (`retries`). Undefined if none was due. */
  notRetried?: NotRetried | undefined
}

/** Returns the report with its own execution as its only attempt, if it has an execution. */
export function withAttempt(report: ExecutionReport): ExecutionReport {
  const { executionId, conclusion, cause, startedOn, finishedOn } = report
  if (executionId === undefined) return report
  return { ...report, attempts: [{ executionId, conclusion, cause, startedOn, finishedOn }] }
}
