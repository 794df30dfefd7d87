/** Starts or takes over a run for each seed, and follows all runs to their end. */
import { runToContinue } from '../begin.ts'
import { conclusions } from '../conclusion.ts'
import type {
  BatchCounts,
  BatchEnv,
  BatchPlan,
  BatchReport,
  BatchRow,
  BatchSeed,
  BatchSnapshot,
  EmitBatch,
} from './batch-types.ts'
import { RequestGate } from './request-gate.ts'
import { SeedRun, type Batch } from './run-seed.ts'
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
  const slots = new Slots(plan.maxParallel, clock, stop.noMoreStarts)
  const gate = new RequestGate(clock, stop, emit)
  const downloads = new Semaphore(maxDownloads)
  const owners = new Map<string, BatchSeed>()
  const batch: Batch = {
    plan,
    env,
    emitBatch: emit,
    stop,
    gate,
    slots,
    downloads,
    owners,
    rows: [],
  }

  emit({ kind: 'begun', snapshot: () => snapshotOf(batch) })
  await followAll(batch)
  stop.end()

  const rows = batch.rows.toSorted((one, other) => one.number - other.number)
  const counts = countRuns(rows, plan.seeds.length)
  return {
    counts,
    conclusion: concludeBatch(rows, counts, stop),
    startedOn,
    needsOtherCredentials: stop.needsOtherCredentials,
    duration: slots.elapsed(),
    rows,
  }
}

/**
 * Follows all runs to their end. The runs that this attempt continues get slots first, because they
 * may be running and count toward `maxParallel`. They are followed even if the batch starts no more
 * runs. An internal error while a run is followed is the end of that run. Rejects at the end with the
 * first internal error of any other kind.
 */
async function followAll(batch: Batch): Promise<void> {
  const { plan, stop } = batch
  const { signal: timeUp } = plan.deadline
  const runs: Promise<void>[] = []
  const failures: unknown[] = []
  const onOtherError = (error: unknown) => {
    failures.push(error)
    stop.stopStarts('internal-error')
  }
  const startRuns = async (seeds: readonly BatchSeed[], until: AbortSignal) => {
    for (const seed of seeds) {
      const run = new SeedRun(seed, plan.recorded(seed), batch)
      const hasSlot = await run.slot.take(until).then(
        () => true,
        () => false,
      )
      runs.push(followIf(hasSlot, run).catch(onOtherError))
    }
  }
  const continues = (seed: BatchSeed) => runToContinue(plan.recorded(seed), plan.mode) !== undefined
  const startsAnew = (seed: BatchSeed) => !continues(seed)
  await startRuns(plan.seeds.filter(continues), timeUp)
  await startRuns(plan.seeds.filter(startsAnew), stop.noMoreStarts)
  await Promise.all(runs)
  if (failures.length > 0) throw failures[0]
}

async function followIf(hasSlot: boolean, run: SeedRun): Promise<void> {
  if (hasSlot) await run.follow()
  else run.leaveUnstarted()
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

function countRuns(rows: readonly BatchRow[], total: number): BatchCounts {
  const counts = { total, succeeded: 0, failed: 0, unknown: 0, unfinished: 0, notStarted: 0 }
  for (const { facts } of rows) counts[conclusions[facts.conclusion].category] += 1
  return counts
}

function snapshotOf({ rows, plan, gate, slots: { running, kept } }: Batch): BatchSnapshot {
  const counts = countRuns(rows, plan.seeds.length)
  const waiting = counts.total - rows.length - running
  return { counts, running, kept, waiting, pauses: gate.pauses() }
}
