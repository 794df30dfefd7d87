/** Defines the facts about the end of a batch, for the annotation, the summary and the advice. */
import type { BatchReport } from '../../execution/batch/batch.ts'
import type { ShownRun } from './runs.ts'

export interface BatchEnd extends Omit<BatchReport, 'records'> {
  automation: string
  /** The runs in the order of the seeds. */
  runs: readonly ShownRun[]
  /** True if a re-run of the job certainly finds all executions of these runs. */
  isOnRecord: boolean
  artifact: { name: string; url: string } | undefined
  /** The path in the output results-file. Undefined if the file could not be written. */
  resultsFile: string | undefined
}

/** Returns true if a cancellation or a run makes the step fail. Missing files do not count. */
export function failsByRuns({ runs, conclusion }: Pick<BatchEnd, 'runs' | 'conclusion'>): boolean {
  return conclusion === 'cancelled' || runs.some(({ failsStep }) => failsStep)
}

/** Returns the number of failed runs that do not make the step fail. */
export function countAllowedFailures({ runs }: Pick<BatchEnd, 'runs'>): number {
  return runs.filter(({ category, failsStep }) => category !== 'succeeded' && !failsStep).length
}
