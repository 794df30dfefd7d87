/** The end of a batch. Annotation, summary and hint are made from it. */
import type { BatchReport } from '../../execution/batch/batch.ts'
import type { ShownRun } from './runs.ts'

export interface BatchEnd extends Omit<BatchReport, 'records'> {
  automation: string
  /** The part of the list that this step has. Undefined if it has the whole list. */
  shard: { index: number; total: number; allSeeds: number } | undefined
  /** In the order of the seeds. */
  runs: readonly ShownRun[]
  /** True if a re-run of the job certainly finds all executions of these runs. */
  isOnRecord: boolean
  artifact: { name: string; url: string } | undefined
  /** The outputs with these names. Undefined if the file could not be written. */
  resultsFile: string | undefined
  failedSeedsFile: string | undefined
}

/** Returns true if the runs fail the step. Missing files may fail it, too. */
export function failsByRuns({ runs, conclusion }: Pick<BatchEnd, 'runs' | 'conclusion'>): boolean {
  return conclusion === 'cancelled' || runs.some(({ failsStep }) => failsStep)
}

/** How many runs failed without failing the step. */
export function countAllowedFailures({ runs }: Pick<BatchEnd, 'runs'>): number {
  return runs.filter(({ category, failsStep }) => category === 'failed' && !failsStep).length
}
