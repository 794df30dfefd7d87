/** How a batch ended: what its annotation, its summary and the hint in both are made from. */
import type { BatchReport } from '../../execution/batch/batch.ts'
import type { ShownRun } from './runs.ts'

export interface BatchEnd extends Omit<BatchReport, 'records'> {
  automation: string
  /** Which part of the whole list this step has; undefined if it has all of it. */
  shard: { index: number; total: number; allSeeds: number } | undefined
  /** In the order of the seeds. */
  runs: readonly ShownRun[]
  /** Whether a re-run of the job finds all executions of these runs, for certain. */
  isOnRecord: boolean
  artifact: { name: string; url: string } | undefined
  /** The outputs of these names; undefined where the file could not be written. */
  resultsFile: string | undefined
  failedSeedsFile: string | undefined
}

/** Whether the step fails for what became of its runs, and not only for files that were lost. */
export function failsByRuns({ runs, conclusion }: Pick<BatchEnd, 'runs' | 'conclusion'>): boolean {
  return conclusion === 'cancelled' || runs.some(({ failsStep }) => failsStep)
}

/** How many runs failed without failing the step. */
export function countAllowedFailures({ runs }: Pick<BatchEnd, 'runs'>): number {
  return runs.filter(({ category, failsStep }) => category === 'failed' && !failsStep).length
}
