import type { FileText } from '../../download/file-text.ts'
import type { FailureKind } from '../failure.ts'
import type { ShownProblems } from '../result-problems.ts'

/** What the summary tells beside the report of the execution. */
export interface SummaryParts {
  /** How the step fails; undefined where it passes. */
  failure?: FailureKind | undefined
  /** A re-run of the job takes the execution over, and starts nothing: for certain. */
  isTakenOver?: boolean | undefined
  /** What is left to do where it passes all the same. */
  remainder?: readonly string[] | undefined
  /** What is told of all executions of the step; absent where there was one, and none was due. */
  attemptsLine?: string | undefined
  artifact?: { name: string; url: string } | undefined
  /** The page of the workflow run; absent where the summary stands on that page. */
  runUrl?: string | undefined
  /** The end of the run's log; its last 40 lines are shown on failure. */
  log?: string | undefined
  result?: ResultPreview | undefined
  /** What keeps the result from being what its schema asks for. */
  problems?: ShownProblems | undefined
}

/** The beginning of a result, at most 256 KiB. */
export interface ResultPreview extends FileText {
  /** The result's file name, e.g. `result.json`. */
  name: string
  /** As the store says, e.g. `application/json; charset=utf-8`. */
  mediaType: string
}
