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
  await new Scheduler(shared).run()
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

class Scheduler {
  readonly #shared: Shared
  readonly #unfetched: Semaphore
  /** All that was begun; it grows while it is waited for. */
  readonly #tasks: Promise<void>[] = []
  readonly #failures: unknown[] = []

  constructor(shared: Shared) {
    const { maxParallel } = shared.plan
    this.#shared = shared
    this.#unfetched = new Semaphore(maxParallel + maxUnfetched)
  }

  /** Resolves when all runs are over; rejects then with the first internal error. */
  async run(): Promise<void> {
    this.#begin(this.#runAll())
    for (const task of this.#tasks) await task
    if (this.#failures.length > 0) throw this.#failures[0]
  }

  #begin(work: Promise<void>): void {
    const onFailure = (error: unknown) => {
      this.#failures.push(error)
      this.#shared.stop.now({ kind: 'internal-error' })
    }
    this.#tasks.push(work.catch(onFailure))
  }

  /**
   * What runs comes before what is to be started: with it, no more than may run at once do so. What
   * is to be kept holds its slot for a look alone.
   */
  async #runAll(): Promise<void> {
    const { plan, stop } = this.#shared
    const phases = [
      { phase: 'take-over', until: plan.deadline.signal },
      { phase: 'restore', until: plan.deadline.signal },
      { phase: 'start', until: stop.signal },
    ] as const
    for (const { phase, until } of phases) {
      for (const run of this.#runsOf(phase)) await this.#inSlot(run, until)
    }
  }

  /** Resolves when the run has begun, or its turn did not come. */
  async #inSlot(run: SeedRun, until: AbortSignal): Promise<void> {
    let room: Disposable | undefined
    try {
      room = await this.#unfetched.acquire(until)
      await run.slot.take(until)
    } catch {
      room?.[Symbol.dispose]()
      return run.recordUnstarted()
    }
    this.#begin(run.follow().finally(() => room[Symbol.dispose]()))
  }

  /** In the order of the seeds. */
  *#runsOf(phase: Phase): Generator<SeedRun> {
    const { plan } = this.#shared
    for (const seed of plan.seeds.seeds) {
      const recorded = plan.recorded(seed)
      if (phaseOf(recorded, plan) !== phase) continue
      yield new SeedRun(seed, recorded, this.#shared)
    }
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
