/**
 * Follows many executions, one for each seed, so many at once. Prints nothing: a listener hears of
 * what happens on the way.
 */
import { conclusions, type Conclusion } from '../conclusion.ts'
import type { RunRecord } from './record.ts'
import type {
  BatchCollaborators,
  BatchListener,
  BatchPlan,
  BatchReport,
  EarlierRun,
} from './batch.ts'
import { keep } from './keep.ts'
import { runSeed } from './run-seed.ts'
import { Semaphore } from './semaphore.ts'
import { Shared, type Place } from './shared.ts'
import { stopWords } from './stop.ts'
import { Tasks } from './tasks.ts'

/**
 * Runs that are over and not yet fetched, beside those in the slots. Each holds what it was started
 * with: with room for a thousand, 10,000 short runs took 250 MB, with room for a hundred 220 MB.
 */
const mostUnfetched = 100

/** Runs that are kept, asked for at once: what the service does not know takes half a minute. */
const mostKept = 32

export async function followBatch(
  plan: BatchPlan,
  collaborators: BatchCollaborators,
  listener: BatchListener,
): Promise<BatchReport> {
  const { clock } = collaborators
  const startedOn = clock.date()
  const shared = new Shared(plan, collaborators, listener)
  const { tally, stop, beganAt } = shared
  listener.onBegin(() => tally.snapshot(clock.now()))
  stop.signal.addEventListener(
    'abort',
    () => stop.reason && listener.onStop(stop.reason, stop.cause),
  )
  const tasks = new Tasks(() => stop.now('surprise'))
  tasks.start(() => keepDone(shared))
  tasks.start(() => runAll(shared, tasks))
  await tasks.settled()
  const { counts } = tally
  return {
    counts,
    conclusion: conclusionOf(shared),
    startedOn,
    stopped: counts.notStarted > 0 ? stop.reason : undefined,
    stoppedBy: counts.notStarted > 0 ? stop.cause : undefined,
    resumed: shared.resumed,
    failing: shared.failing,
    finishedOn: clock.date(),
    duration: clock.now() - beganAt,
    checks: shared.service.budget.count,
    records: shared.records,
  }
}

/** What runs comes before what is to be started: with it, no more than may run at once do so. */
async function runAll(shared: Shared, tasks: Tasks): Promise<void> {
  const { plan, stop } = shared
  const slots = new Semaphore(plan.maxParallel)
  const unfetched = new Semaphore(plan.maxParallel + mostUnfetched)
  const run = async (place: Place, earlier: EarlierRun | undefined, until: AbortSignal) => {
    const room = await unfetched.acquire(until)
    const slot = await slots.acquire(until).catch((error: unknown) => {
      room[Symbol.dispose]()
      throw error
    })
    tasks.start(() => runSeed(place, earlier, slot, shared).finally(() => room[Symbol.dispose]()))
  }
  for (const { earlier, ...place } of placesOf(shared, 'running')) {
    const until = plan.deadline.signal
    await run(place, earlier, until).catch(() => leave(place, earlier, shared))
  }
  for (const place of placesOf(shared, 'new')) {
    await run(place, undefined, stop.signal).catch(() => leave(place, undefined, shared))
  }
}

type Left = 'done' | 'running' | 'new'

function leftBy(earlier: EarlierRun | undefined): Left {
  if (!earlier) return 'new'
  if (earlier.conclusion === undefined) return 'running'
  switch (conclusions[earlier.conclusion].category) {
    case 'succeeded':
      return 'done'
    case 'unfinished':
    case 'unknown':
      return 'running'
    case 'failed':
    case 'notStarted':
      return 'new'
  }
}

/** The seeds of which an earlier attempt of the job left this, in their order. */
function* placesOf({ plan }: Shared, left: Left) {
  for (const [position, seed] of plan.seeds.seeds.entries()) {
    const earlier = plan.earlier?.(seed)
    if (leftBy(earlier) === left) yield { position, seed, earlier }
  }
}

/** They take no slot, since nothing of theirs runs: only a turn to download, once they are found. */
async function keepDone(shared: Shared): Promise<void> {
  const done = placesOf(shared, 'done')
  const lane = async () => {
    for (const { earlier, ...place } of done) {
      if (earlier) await keep(place, earlier.executionId, shared)
    }
  }
  await Promise.all(Array.from({ length: mostKept }, lane))
}

/** A seed whose turn did not come. What an earlier attempt started may still run. */
async function leave(place: Place, earlier: EarlierRun | undefined, shared: Shared): Promise<void> {
  const { index, label } = place.seed
  const { reason = 'timed-out' } = shared.stop
  const isCancelled = shared.collaborators.cancelled.aborted
  const unfinished: Conclusion = isCancelled ? 'cancelled' : 'timed-out'
  const conclusion = earlier ? unfinished : 'not-started'
  // The step's time alone keeps it from being over: `fail-on` decides as of one that is not.
  const isOutOfTime = conclusion === 'not-started' && reason === 'timed-out'
  if (earlier) shared.listener.onStarted(place.seed, earlier.executionId)
  const record: RunRecord = {
    index,
    label,
    conclusion,
    executionId: earlier?.executionId,
    attempts: earlier ? [{ executionId: earlier.executionId, conclusion: unfinished }] : [],
    resumed: earlier !== undefined,
    startedAt: undefined,
    endedAt: undefined,
    cause: stopWords[reason],
    resultFile: undefined,
    logFile: undefined,
    failsStep: shared.failsStep(isOutOfTime ? 'timed-out' : conclusion),
  }
  shared.tally.count(conclusion)
  await shared.record(place, record)
}

function conclusionOf({ tally, stop, collaborators }: Shared): BatchReport['conclusion'] {
  const { total, succeeded, unfinished, notStarted } = tally.counts
  if (succeeded === total) return 'success'
  if (collaborators.cancelled.aborted) return 'cancelled'
  const ranOut = unfinished > 0 || (notStarted > 0 && stop.reason === 'timed-out')
  return ranOut ? 'timed-out' : 'failure'
}
