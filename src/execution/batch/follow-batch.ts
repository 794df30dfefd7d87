/**
 * Follows many executions, one for each seed, so many at once. Prints nothing: a listener hears of
 * what happens on the way.
 */
import type {
  BatchCollaborators,
  BatchCounts,
  BatchListener,
  BatchPlan,
  BatchReport,
} from './batch.ts'
import { needsProbe, type RecordedRun } from '../rerun.ts'
import { SeedRun } from './run-seed.ts'
import { Semaphore } from './semaphore.ts'
import { Shared } from './shared.ts'
import { countRuns, snapshotOf } from './tally.ts'

/**
 * Runs that are over and not yet fetched, beside those in the slots. Each holds what it was started
 * with: with room for a thousand, 10,000 short runs took 250 MB, with room for a hundred 220 MB.
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
    conclusion: conclusionOf(counts, shared),
    startedOn,
    stoppedBy: refusal ?? (isCutShort && cause && 'seed' in cause ? cause : undefined),
    duration: shared.elapsed(),
    records,
  }
}

/** `take-over`: not over by the record of an earlier attempt; `restore`: over with success. */
type Phase = 'take-over' | 'restore' | 'start'

/**
 * Resolves when all runs are over; rejects then with the first internal error. What runs comes before
 * what is to be started: with it, no more than may run at once do so. What is to be kept holds a slot
 * for a look alone, and takes turns with the others for one: neither waits until the other is done.
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
  /** In the order of the seeds. */
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

/** Resolves when the run has its slot, with room for its files; undefined where its turn did not come. */
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

function phaseOf(recorded: RecordedRun, { onRerun }: Pick<BatchPlan, 'onRerun'>): Phase {
  if (!needsProbe(recorded, onRerun)) return 'start'
  if (recorded.kind === 'started') return 'take-over'
  return recorded.conclusion === 'success' ? 'restore' : 'start'
}

function conclusionOf(
  { total, succeeded, unfinished, notStarted }: BatchCounts,
  { stop, collaborators }: Shared,
): BatchReport['conclusion'] {
  if (succeeded === total) return 'success'
  if (collaborators.cancelled.aborted) return 'cancelled'
  const ranOut = unfinished > 0 || (notStarted > 0 && stop.cause?.kind === 'timed-out')
  return ranOut ? 'timed-out' : 'failure'
}
