/** What annotation and summary say of the runs, taken from their records once. */
import type { Category } from '../../execution/conclusion.ts'
import { allCategories, isUnansweredStart } from './progress.ts'
import type { ShownRun } from './runs.ts'

export interface BatchSurvey {
  /** How many of each category fail the step. */
  failing: Readonly<Record<Category, number>>
  /** How many starts may have been accepted, without an id that would prove it. */
  unansweredStarts: number
  /** The first runs that fail the step, in the order of the seeds. */
  causes: readonly ShownRun[]
  /** For the table: the first of those that did not succeed, the worst category first. */
  unsuccessful: readonly ShownRun[]
  /** The first that succeeded. */
  succeeded: readonly ShownRun[]
  /** The first that were started: for the picture. */
  started: readonly ShownRun[]
}

const maxCauses = 5
export const maxRows = 50
export const maxBars = 100

const worstFirst = ['failed', 'unknown', 'unfinished', 'notStarted'] as const

/** `runs`: all of them, in the order of the seeds. */
export function surveyBatch(runs: readonly ShownRun[]): BatchSurvey {
  const failing = runs.filter(({ failsStep }) => failsStep)
  const of = (category: Category, among = runs) => among.filter((run) => run.category === category)
  const counts = allCategories.map((category) => [category, of(category, failing).length])
  return {
    failing: Object.fromEntries(counts) as Record<Category, number>,
    unansweredStarts: runs.filter(isUnansweredStart).length,
    causes: failing.filter(hasOwnCause).slice(0, maxCauses),
    unsuccessful: worstFirst.flatMap((category) => of(category)).slice(0, maxRows),
    succeeded: of('succeeded').slice(0, maxRows),
    started: runs.filter(({ startedAt }) => startedAt !== undefined).slice(0, maxBars),
  }
}

/** Why the others were not started is the same for all, and said once. */
function hasOwnCause({ category, cause, stopReason }: ShownRun): boolean {
  return category !== 'notStarted' || (cause !== undefined && stopReason === undefined)
}
