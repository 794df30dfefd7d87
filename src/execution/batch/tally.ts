/** What has become of the runs of a batch so far, in numbers alone. */
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
  const counts = countRuns(records, plan.seeds.seeds.length)
  const waiting = counts.total - records.length - running.size - pending
  return {
    counts,
    running: running.size,
    pending,
    waiting,
    expectedRest: expectedRest(shared, waiting),
    heldFor: service.heldFor(),
  }
}

/** What the runs will take in all by the mean of those before, through the slots that they use. */
function expectedRest(shared: Shared, waiting: number): number | undefined {
  const { records, running, plan } = shared
  const spans = records.flatMap(({ conclusion, startedAt, endedAt }) =>
    factsOf(conclusion).isSeen && startedAt !== undefined && endedAt !== undefined
      ? [endedAt - startedAt]
      : [],
  )
  if (spans.length === 0) return undefined
  const mean = sum(spans) / spans.length
  const now = shared.elapsed()
  const rests = Array.from(running, ({ takenAt }) => Math.max(0, mean - (now - takenAt)))
  const slots = Math.min(plan.maxParallel, running.size + waiting)
  return (waiting * mean + sum(rests)) / Math.max(1, slots)
}

function sum(spans: readonly number[]): number {
  return spans.reduce((total, span) => total + span, 0)
}
