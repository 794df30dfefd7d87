import type { CollectedFiles } from '../download/collect.ts'
import type { Cause } from './cause.ts'
import type { Conclusion } from './conclusion.ts'
import type { Ending } from './ending.ts'
import type { ResultProblems } from './result-problems.ts'

/** One execution of a step, over or not. */
export interface ExecutionAttempt {
  executionId: string
  conclusion: Conclusion
  /** Why it failed, as its log says, in the log's own words. */
  cause: Cause | undefined
  startedOn: Date
  finishedOn: Date
}

/** Why the execution that was due after a failed one was not started. */
export type NotRetried =
  | { kind: 'time-up' }
  | { kind: 'cancelled' }
  /** The service did not take the start, or was not reached. */
  | { kind: 'refused'; failure: unknown }

/**
 * What became of one execution, as far as it could be seen from here: the one value that log,
 * outputs, artifact, annotation and job summary are read from.
 */
export interface ExecutionReport {
  /** What was started; undefined where another step started it and that is not known. */
  project: string | undefined
  automation: string | undefined
  /** Whether the start named a webhook; undefined where that is not known. */
  webhookGiven: boolean | undefined
  /** Undefined where the start was not accepted, or may or may not have been. */
  executionId: string | undefined
  ending: Ending
  conclusion: Conclusion
  /** The start, or the first look at an execution that was started before. */
  startedOn: Date
  finishedOn: Date
  /** Milliseconds between the two, by a clock that nobody can set back. */
  duration: number
  /** How many times the service was asked for the status while waiting. */
  checks: number
  /** What the run left, fetched; undefined where it was not seen to end. */
  files: CollectedFiles | undefined
  /** Of a start that may or may not have been accepted: what the execution before it left. */
  filesBefore?: CollectedFiles | undefined
  /** Why the run failed, as its log says, in the log's own words. */
  cause: Cause | undefined
  /** What keeps its result from being what the schema asks for; undefined where nothing does. */
  resultProblems?: ResultProblems | undefined
  /**
   * Every execution of the step that came to be, oldest first, the one of this report included. A
   * start that was not accepted, or may not have been, adds none.
   */
  attempts: readonly ExecutionAttempt[]
  /** Why no other execution followed, where one was due (`retries`). */
  notRetried?: NotRetried | undefined
}

/** The report with its execution as the only attempt, where there is one. */
export function withAttempt(report: ExecutionReport): ExecutionReport {
  const { executionId, conclusion, cause, startedOn, finishedOn } = report
  if (executionId === undefined) return report
  return { ...report, attempts: [{ executionId, conclusion, cause, startedOn, finishedOn }] }
}
