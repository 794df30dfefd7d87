/** Follows many executions, one for each seed. Prints nothing, and informs a listener. */
import type {
  BatchCollaborators,
  BatchCounts,
  BatchListener,
  BatchPlan,
  BatchReport,
} from './batch.ts'
import { needsProbe, type EarlierRun } from '../rerun.ts'
import { SeedRun } from './run-seed.ts'
import { Semaphore } from './semaphore.ts'
import { Shared } from './shared.ts'
import { countRuns, snapshotOf } from './tally.ts'

/**
 * How many runs may have ended and wait for their files. Each of them holds its start request: with
 * 1,000 of them, 10,000 short runs took 250 MB, with 100 of them 220 MB.
 */
const maxUnfetched = 100

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
  const { cause, refusal } = shared.stop
  const records = shared.records.toSorted((one, other) => one.index - other.index)
  const counts = countRuns(records, plan.seeds.seeds.length)
  const isCutShort = counts.notStarted > 0
  return {
    counts,
    conclusion: concludeBatch(counts, shared),
    startedOn,
    stoppedBy: refusal ?? (isCutShort && cause && 'seed' in cause ? cause : undefined),
    duration: shared.elapsed(),
    records,
  }
}

/** By the record of an earlier attempt, `take-over` has not ended and `restore` succeeded. */
type Phase = 'take-over' | 'restore' | 'start'

/**
 * Resolves when all runs have finished. Then rejects with the first internal error, if there was one.
 * Runs that are running take their slots before others are started, so that `maxParallel` holds. A run
 * to restore holds a slot for one look only, so such runs take turns with all others.
 */
async function followAll(shared: Shared): Promise<void> {
  const { plan, stop } = shared
  const { signal: timeUp } = plan.deadline
  const unfetched = new Semaphore(plan.maxParallel + maxUnfetched)
  const begun: Promise<void>[] = []
  const failures: unknown[] = []
  const onFailure = (error: unknown) => {
    failures.push(error)
    stop.now({ kind: 'internal-error' })
  }
  /** Begins the runs of a phase in the order of the seeds. */
  const begin = async (phase: Phase, until: AbortSignal) => {
    for (const seed of plan.seeds.seeds) {
      const recorded = plan.recorded(seed)
      if (phaseOf(recorded, plan) !== phase) continue
      const run = new SeedRun(seed, recorded, shared)
      const room = await takeTurn(run, until, unfetched)
      const work = room ? run.follow().finally(() => room[Symbol.dispose]()) : run.recordUnstarted()
      begun.push(work.catch(onFailure))
    }
  }
  const kept = begin('restore', timeUp)
  await begin('take-over', timeUp)
  await begin('start', stop.signal)
  await kept
  await Promise.all(begun)
  if (failures.length > 0) throw failures[0]
}

/** Resolves when the run has a slot and room for its files. Undefined if its turn did not come. */
async function takeTurn(
  run: SeedRun,
  until: AbortSignal,
  unfetched: Semaphore,
): Promise<Disposable | undefined> {
  let room: Disposable | undefined
  try {
    room = await unfetched.acquire(until)
    await run.slot.take(until)
    return room
  } catch {
    room?.[Symbol.dispose]()
    return undefined
  }
}

function phaseOf(recorded: EarlierRun, { onRerun }: Pick<BatchPlan, 'onRerun'>): Phase {
  if (!needsProbe(recorded, onRerun)) return 'start'
  if (recorded.kind === 'started') return 'take-over'
  return recorded.conclusion === 'success' ? 'restore' : 'start'
}

function concludeBatch(
  { total, succeeded, unfinished, notStarted }: BatchCounts,
  { stop, collaborators }: Shared,
): BatchReport['conclusion'] {
  if (succeeded === total) return 'success'
  if (collaborators.cancelled.aborted) return 'cancelled'
  const ranOut = unfinished > 0 || (notStarted > 0 && stop.cause?.kind === 'timed-out')
  return ranOut ? 'timed-out' : 'failure'
}
