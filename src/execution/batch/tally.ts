/** Counts the runs of a batch. */
import { conclusions } from '../conclusion.ts'
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
  return { counts, running, pending, waiting, heldFor: service.heldFor() }
}
