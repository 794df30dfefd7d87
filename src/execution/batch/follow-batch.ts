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
import { Semaphore } from './semaphore.ts'
import { Shared } from './shared.ts'
import { countRuns, snapshotOf } from './tally.ts'

/**
 * The maximum number of ended runs that wait for their files. Each waiting run keeps its start
 * request in memory. A batch of 10,000 short runs took 220 MB with this limit, and 250 MB with
 * 1,000.
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
  const counts = countRuns(records, plan.seeds.length)
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

/** How a run begins: with a running execution, with an earlier success, or with a new start. */
type Phase = 'take-over' | 'restore' | 'start'

/**
 * Follows all runs to their end. Then rejects with the first internal error, if there was one. Runs
 * that an earlier attempt of the job started get slots first, because they may be running and count
 * toward `maxParallel`. Earlier successes are checked at the same time, because such a check needs
 * a slot only briefly.
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
  const begin = async (phase: Phase, until: AbortSignal) => {
    for (const seed of plan.seeds) {
      const recorded = plan.recorded(seed)
      if (phaseOf(recorded, plan) !== phase) continue
      const run = new SeedRun(seed, recorded, shared)
      const room = await takeTurn(run, until, unfetched)
      const work = room ? run.follow().finally(() => room[Symbol.dispose]()) : run.recordUnstarted()
      begun.push(work.catch(onFailure))
    }
  }
  const restored = begin('restore', timeUp)
  await begin('take-over', timeUp)
  await begin('start', stop.signal)
  await restored
  await Promise.all(begun)
  if (failures.length > 0) throw failures[0]
}

/** Waits for a permit and a slot. Returns the permit, or undefined if `until` aborts first. */
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
