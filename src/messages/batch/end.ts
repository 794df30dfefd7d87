/** Defines the facts about the end of a batch, for the annotation, the summary and the advice. */
import type { BatchReport } from '../../execution/batch/batch-types.ts'
import { categoryOf } from './runs.ts'

/** The texts of its rows are redacted and shortened (`shownRow`). */
export interface BatchEnd extends BatchReport {
  /** True if the step was cancelled. The cancellation may come after the end of all runs. */
  cancelled: boolean
  automation: string
  /** True if a re-run of the job certainly finds all executions of these runs. */
  isOnRecord: boolean
  artifact: { name: string; url: string } | undefined
  /** The path in the output results-file. Undefined if the file could not be written. */
  resultsFile: string | undefined
}

/** Returns true if a cancellation or a run makes the step fail. Missing files do not count. */
export function failsByRuns({ rows, cancelled }: BatchEnd): boolean {
  return cancelled || rows.some(({ failsStep }) => failsStep)
}

/** Returns the number of failed runs that do not make the step fail. */
export function countAllowedFailures({ rows }: BatchReport): number {
  return rows.filter((row) => categoryOf(row) !== 'succeeded' && !row.failsStep).length
}
