import type { CollectedFiles } from '../download/collect.ts'
import type { Cause } from './cause.ts'
import type { Conclusion } from './conclusion.ts'
import type { Ending } from './ending.ts'
import type { ResultProblems } from './result-problems.ts'

/** The facts about one of the executions of a step. */
export interface ExecutionAttempt {
  executionId: string
  conclusion: Conclusion
  /** Why the execution failed, in the words of its log. */
  cause: Cause | undefined
  startedOn: Date
  finishedOn: Date
}

/** Everything that is known about one execution. Outputs and messages are made from this value. */
export interface ExecutionReport {
  /** The project of the automation. Undefined if this step does not know the start request. */
  project: string | undefined
  automation: string | undefined
  /** True if the start request named a webhook. Undefined if the start request is not known. */
  webhookGiven: boolean | undefined
  /** The id of the execution. Undefined if the service did not clearly accept the start. */
  executionId: string | undefined
  /** True if this step did not start the execution. Its duration is then not known. */
  existedBefore: boolean
  ending: Ending
  conclusion: Conclusion
  /** When this step sent the start, or began to follow an execution that already existed. */
  startedOn: Date
  finishedOn: Date
  /** Milliseconds from `startedOn` to `finishedOn`, measured with a monotonic clock. */
  duration: number
  /** The number of finished status checks while this step waited for the end. */
  checks: number
  /** The fetched result and log. Undefined if the service did not report the end of the run. */
  files: CollectedFiles | undefined
  /** Why the run failed, in the words of its log. */
  cause: Cause | undefined
  /** Why the result does not match the schema. Undefined if no mismatch was found. */
  resultProblems?: ResultProblems | undefined
  /** Why the result was not validated. Set only if the conclusion is therefore `unknown`. */
  notValidated?: string | undefined
  /** All executions of this run that are known to exist, oldest first. */
  attempts: readonly ExecutionAttempt[]
  /** Why a due retry was not made (untrusted). Undefined if no retry was due. */
  notRetried?: string | undefined
}

/** Returns the report. If the id is known, this execution is the only entry in `attempts`. */
export function withAttempt(report: ExecutionReport): ExecutionReport {
  const { executionId, conclusion, cause, startedOn, finishedOn } = report
  if (executionId === undefined) return report
  return { ...report, attempts: [{ executionId, conclusion, cause, startedOn, finishedOn }] }
}
