/** Starts a run for each seed, follows all runs to their end, and reports events to a listener. */
import type {
  BatchCollaborators,
  BatchCounts,
  BatchListener,
  BatchPlan,
  BatchReport,
} from './batch.ts'
import { needsProbe, type EarlierRun } from '../rerun.ts'
import { SeedRun } from './run-seed.ts'
import { Shared } from './shared.ts'
import { countRuns, snapshotOf } from './tally.ts'

export async function followBatch(
  plan: BatchPlan,
  collaborators: BatchCollaborators,
  listener: BatchListener,
): Promise<BatchReport> {
  const { clock } = collaborators
  const startedOn = clock.date()
  const shared = new Shared(plan, collaborators, listener)
  listener.onBegin(() => snapshotOf(shared))
  await followAll(shared)
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
  const begun: Promise<void>[] = []
  const failures: unknown[] = []
  const onFailure = (error: unknown) => {
    failures.push(error)
    stop.now('internal-error')
  }
  const begin = async (isEarlier: boolean, until: AbortSignal) => {
    for (const seed of plan.seeds) {
      const recorded = plan.recorded(seed)
      if (mayBeTakenOver(recorded, plan) !== isEarlier) continue
      const run = new SeedRun(seed, recorded, shared)
      const hasSlot = await run.slot.take(until).then(
        () => true,
        () => false,
      )
      begun.push((hasSlot ? run.follow() : run.recordUnstarted()).catch(onFailure))
    }
  }
  await begin(true, timeUp)
  await begin(false, stop.signal)
  await Promise.all(begun)
  if (failures.length > 0) throw failures[0]
}

/** Returns true if the step may follow or publish the earlier execution instead of a new one. */
function mayBeTakenOver(recorded: EarlierRun, { onRerun }: Pick<BatchPlan, 'onRerun'>): boolean {
  if (!needsProbe(recorded, onRerun)) return false
  return recorded.kind === 'started' || recorded.conclusion === 'success'
}

function concludeBatch(
  { total, succeeded, unfinished, notStarted }: BatchCounts,
  { stop, collaborators }: Shared,
): BatchReport['conclusion'] {
  if (succeeded === total) return 'success'
  if (collaborators.cancelled.aborted) return 'cancelled'
  const ranOut = unfinished > 0 || (notStarted > 0 && stop.cause === 'timed-out')
  return ranOut ? 'timed-out' : 'failure'
}
