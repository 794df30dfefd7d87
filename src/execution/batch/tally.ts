/** Counts the runs of a batch, and estimates the remaining time. */
import { conclusions, factsOf } from '../conclusion.ts'
import type { BatchCounts, BatchSnapshot, RunRecord } from './batch.ts'
import type { Shared } from './shared.ts'

export function countRuns(records: readonly RunRecord[], total: number): BatchCounts {
  const counts = { total, succeeded: 0, failed: 0, unknown: 0, unfinished: 0, notStarted: 0 }
  for (const { conclusion } of records) counts[conclusions[conclusion].category] += 1
  return counts
}

export function snapshotOf(shared: Shared): BatchSnapshot {
  const { records, running, pending, plan, service } = shared
  const counts = countRuns(records, plan.seeds.length)
  const waiting = counts.total - records.length - running - pending
  return {
    counts,
    running,
    pending,
    waiting,
    expectedRest: expectedRest(shared, waiting),
    heldFor: service.heldFor(),
  }
}

/**
 * Returns the expected milliseconds until all runs have ended. Assumes that each run takes the mean
 * time of the finished runs, and that each running run is half done. Returns undefined if no run
 * has finished, or if only files remain to be fetched.
 */
function expectedRest({ records, running, plan }: Shared, waiting: number): number | undefined {
  const spans = records.flatMap(({ conclusion, startedAt, endedAt }) =>
    factsOf(conclusion).isSeen && startedAt !== undefined && endedAt !== undefined
      ? [endedAt - startedAt]
      : [],
  )
  if (spans.length === 0 || running + waiting === 0) return undefined
  const mean = spans.reduce((total, span) => total + span, 0) / spans.length
  const slots = Math.min(plan.maxParallel, running + waiting)
  return ((waiting + running / 2) * mean) / Math.max(1, slots)
}
