/** Starts a run for each seed, and follows all runs to their end. */
import { runToTakeOver } from '../begin.ts'
import { conclusions } from '../conclusion.ts'
import type {
  BatchCounts,
  BatchEnv,
  BatchPlan,
  BatchReport,
  BatchRow,
  BatchSnapshot,
  EmitBatch,
} from './batch.ts'
import { SeedRun } from './run-seed.ts'
import { Shared } from './shared.ts'

export async function followBatch(
  plan: BatchPlan,
  env: BatchEnv,
  emit: EmitBatch,
): Promise<BatchReport> {
  const startedOn = env.clock.date()
  const shared = new Shared(plan, env, emit)
  emit({ kind: 'begun', snapshot: () => snapshotOf(shared) })
  await followAll(shared)
  shared.stop.end()
  const rows = shared.rows.toSorted((one, other) => one.index - other.index)
  const counts = countRuns(rows, plan.seeds.length)
  return {
    counts,
    conclusion: concludeBatch(counts, shared),
    startedOn,
    needsOtherCredentials: shared.stop.needsOtherCredentials,
    duration: shared.elapsed(),
    rows,
  }
}

/**
 * Follows all runs to their end. Then rejects with the first internal error, if there was one. Runs
 * that an earlier attempt of the job started get slots first, because they may be running and count
 * toward `maxParallel`.
 */
async function followAll(shared: Shared): Promise<void> {
  const { plan, stop } = shared
  const { signal: timeUp } = plan.deadline
  const runs: Promise<void>[] = []
  const failures: unknown[] = []
  const onFailure = (error: unknown) => {
    failures.push(error)
    stop.now('internal-error')
  }
  const startRuns = async (isEarlier: boolean, until: AbortSignal) => {
    for (const seed of plan.seeds) {
      const recorded = plan.recorded(seed)
      if ((runToTakeOver(recorded, plan.mode) !== undefined) !== isEarlier) continue
      const run = new SeedRun(seed, recorded, shared)
      const hasSlot = await run.slot.take(until).then(
        () => true,
        () => false,
      )
      runs.push(followIf(hasSlot, run).catch(onFailure))
    }
  }
  await startRuns(true, timeUp)
  await startRuns(false, stop.signal)
  await Promise.all(runs)
  if (failures.length > 0) throw failures[0]
}

async function followIf(hasSlot: boolean, run: SeedRun): Promise<void> {
  if (hasSlot) await run.follow()
  else run.leaveUnstarted()
}

function concludeBatch(
  { total, succeeded, unfinished, notStarted }: BatchCounts,
  { stop, env }: Shared,
): BatchReport['conclusion'] {
  if (succeeded === total) return 'success'
  if (env.cancelled.aborted) return 'cancelled'
  const ranOut = unfinished > 0 || (notStarted > 0 && stop.cause === 'timed-out')
  return ranOut ? 'timed-out' : 'failure'
}

function countRuns(rows: readonly BatchRow[], total: number): BatchCounts {
  const counts = { total, succeeded: 0, failed: 0, unknown: 0, unfinished: 0, notStarted: 0 }
  for (const { facts } of rows) counts[conclusions[facts.conclusion].category] += 1
  return counts
}

function snapshotOf({ rows, running, pending, plan, service }: Shared): BatchSnapshot {
  const counts = countRuns(rows, plan.seeds.length)
  const waiting = counts.total - rows.length - running - pending
  return { counts, running, pending, waiting, heldFor: service.heldFor() }
}
