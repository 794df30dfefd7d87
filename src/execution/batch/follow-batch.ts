/** Starts a run for each seed, and follows all runs to their end. */
import { runToTakeOver } from '../begin.ts'
import type { BatchCounts, BatchEnv, BatchPlan, BatchReport } from './batch.ts'
import type { EmitBatch } from './events.ts'
import { SeedRun } from './run-seed.ts'
import { Shared } from './shared.ts'
import { countRuns, snapshotOf } from './tally.ts'

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
  const records = shared.records.toSorted((one, other) => one.index - other.index)
  const counts = countRuns(records, plan.seeds.length)
  return {
    counts,
    conclusion: concludeBatch(counts, shared),
    startedOn,
    needsOtherCredentials: shared.stop.needsOtherCredentials,
    duration: shared.elapsed(),
    records,
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
  else run.recordUnstarted()
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
