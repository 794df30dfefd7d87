/** Starts or takes over a run for each seed, and follows all runs to their end. */
import { countRuns, snapshotOf, type BatchState } from './batch-state.ts'
import type {
  BatchCounts,
  BatchEnv,
  BatchPlan,
  BatchReport,
  BatchRow,
  EmitBatch,
} from './batch-types.ts'
import { RequestGate } from './request-gate.ts'
import { SeedRun } from './run-seed.ts'
import { Semaphore } from './semaphore.ts'
import { Slots } from './slots.ts'
import { Stop } from './stop.ts'

/** The limit of parallel downloads. More downloads would be slower, and links expire after 60 s. */
export const maxDownloads = 8

export async function followBatch(
  plan: BatchPlan,
  env: BatchEnv,
  emit: EmitBatch,
): Promise<BatchReport> {
  const { clock, cancelled } = env
  const startedOn = clock.date()
  const stop = new Stop(plan.deadline.signal, cancelled, emit)
  const batch: BatchState = {
    plan,
    env,
    emitBatch: emit,
    stop,
    slots: new Slots(plan.maxParallel, clock, stop.noMoreStarts),
    gate: new RequestGate(clock, stop),
    downloads: new Semaphore(maxDownloads),
    owners: new Map(),
    rows: [],
  }

  emit({ kind: 'opened', snapshot: () => snapshotOf(batch) })
  await followAll(batch)
  stop.end()

  const rows = batch.rows.toSorted((one, other) => one.number - other.number)
  const counts = countRuns(batch)
  return {
    counts,
    conclusion: concludeBatch(rows, counts, stop),
    startedOn,
    needsOtherCredentials: stop.needsOtherCredentials,
    duration: batch.slots.elapsed(),
    rows,
  }
}

/**
 * Follows all runs to their end. The runs that this attempt continues get slots first, because they
 * may be running and count toward `maxParallel`. They are followed even if the batch starts no more
 * runs. An internal error while a run is followed is the end of that run. Rejects at the end with the
 * first internal error of any other kind.
 */
async function followAll(batch: BatchState): Promise<void> {
  const { plan, stop } = batch
  const followed: Promise<void>[] = []
  const failures: unknown[] = []
  const onOtherError = (error: unknown) => {
    failures.push(error)
    stop.stopStarts('internal-error')
  }
  const followInTurn = async (runs: readonly SeedRun[], until: AbortSignal) => {
    for (const run of runs) {
      const hasSlot = await run.slot.take(until).then(
        () => true,
        () => false,
      )
      followed.push(run.follow(hasSlot).catch(onOtherError))
    }
  }
  const runs = plan.seeds.map((seed) => new SeedRun(seed, batch))
  const takenOver = runs.filter((run) => run.toTakeOver)
  const others = runs.filter((run) => !run.toTakeOver)
  await followInTurn(takenOver, plan.deadline.signal)
  await followInTurn(others, stop.noMoreStarts)
  await Promise.all(followed)
  if (failures.length > 0) throw failures[0]
}

function concludeBatch(
  rows: readonly BatchRow[],
  { total, succeeded, unfinished, notStarted }: BatchCounts,
  { reason }: Stop,
): BatchReport['conclusion'] {
  if (succeeded === total) return 'success'
  const isCancelled = rows.some(({ facts }) => facts.conclusion === 'cancelled')
  if (isCancelled || (notStarted > 0 && reason === 'cancelled')) return 'cancelled'
  const ranOut = unfinished > 0 || (notStarted > 0 && reason === 'timed-out')
  return ranOut ? 'timed-out' : 'failure'
}
