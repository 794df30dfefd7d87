/** Defines what all runs of a batch share, and counts the runs. */
import { conclusions } from '../conclusion.ts'
import type {
  BatchCounts,
  BatchEnv,
  BatchPlan,
  BatchRow,
  BatchSeed,
  BatchSnapshot,
  EmitBatch,
} from './batch-types.ts'
import type { RequestGate } from './request-gate.ts'
import type { Semaphore } from './semaphore.ts'
import type { Slots } from './slots.ts'
import type { Stop } from './stop.ts'

export interface BatchState {
  plan: BatchPlan
  env: BatchEnv
  emitBatch: EmitBatch
  stop: Stop
  gate: RequestGate
  slots: Slots
  downloads: Semaphore
  /** The seeds whose runs have these executions. */
  owners: Map<string, BatchSeed>
  /** All finished runs, in the order in which they finished. */
  rows: BatchRow[]
}

export function countRuns({ rows, plan }: BatchState): BatchCounts {
  const total = plan.seeds.length
  const counts = { total, succeeded: 0, failed: 0, unknown: 0, unfinished: 0, notStarted: 0 }
  for (const { facts } of rows) counts[conclusions[facts.conclusion].category] += 1
  return counts
}

export function snapshotOf(batch: BatchState): BatchSnapshot {
  const { running, kept } = batch.slots
  const counts = countRuns(batch)
  const waiting = counts.total - batch.rows.length - running
  return { counts, running, kept, waiting, pauses: batch.gate.pauses() }
}
