/** One seed of a batch in its slot: started or taken over, followed to its end, fetched, recorded. */
import { messageOf } from '../../errors.ts'
import { concludeFrom } from '../conclusion.ts'
import type { ExecutionReport } from '../execution-report.ts'
import type { KnownExecution } from '../follow-execution.ts'
import { followWithRetries } from '../retries.ts'
import type { EarlierRun } from './batch.ts'
import { causeOf, isOutOfTime, missingOf, pathsOf } from './outcome.ts'
import { RunWatch } from './run-watch.ts'
import type { BatchSeed } from './seed-list.ts'
import type { Place, Shared } from './shared.ts'

/** Tries within an outage of minutes; the step's deadline bounds them all. Spans: milliseconds. */
const startLimits = { tries: 10, span: 86_400_000, firstPause: 1_000 }

/** `slot` is given back at the run's end, before its files are fetched. */
export async function runSeed(
  place: Place,
  earlier: EarlierRun | undefined,
  slot: Disposable,
  shared: Shared,
): Promise<void> {
  const { seed } = place
  const watch = new RunWatch(seed, slot, shared)
  let report: ExecutionReport | undefined
  let surprise: unknown
  let resumed = false
  try {
    const taken = earlier && (await takeOver(seed, earlier, watch, shared))
    resumed = taken !== undefined
    report = taken ?? (await follow(seed, undefined, watch, shared))
    watch.settleWith(report)
  } catch (error) {
    // One run's trouble is its own, also where it is a fault of ours: it may have been started.
    surprise = error
    watch.settle('unknown')
  }
  await shared.record(place, recordOf(seed, watch, { report, surprise, resumed }, shared), report)
}

async function follow(
  seed: BatchSeed,
  known: KnownExecution | undefined,
  watch: RunWatch,
  shared: Shared,
): Promise<ExecutionReport> {
  const { plan, collaborators } = shared
  const { request, pollInterval, deadline, retries, retryOn } = plan
  const { store, clock, random, cancelled, showLog, removeFolder } = collaborators
  return followWithRetries(
    { begin: known ?? request, request, pollInterval, deadline, retries, retryOn, once: false },
    {
      store,
      clock,
      random,
      cancelled,
      showLog,
      removeFolder,
      startLimits,
      service: shared.service.forSeed(seed),
      makeFolder: () => collaborators.makeFolder(seed),
      leastPause: () => shared.service.budget.pauseFor(shared.tally.running),
      turn: (cancelled, work) => shared.download(cancelled, work),
    },
    watch.listener(),
  )
}

/** Undefined where the earlier execution is over and failed, or is gone: it is started anew. */
async function takeOver(
  seed: BatchSeed,
  earlier: EarlierRun,
  watch: RunWatch,
  shared: Shared,
): Promise<ExecutionReport | undefined> {
  const { executionId } = earlier
  watch.found(executionId)
  const ending = await endBefore(executionId, shared)
  if (ending && ending.outcome !== 'success') {
    watch.attempts.push({ executionId, conclusion: ending.outcome })
    shared.listener.onStartedAnew(seed, { executionId, conclusion: ending.outcome })
    return undefined
  }
  watch.isResuming = true
  const report = await follow(seed, { executionId, ending }, watch, shared)
  watch.isResuming = false
  if (report.ending.kind !== 'not-found') return report
  shared.listener.onStartedAnew(seed, earlier)
  return undefined
}

/** Its end, if it was over before this attempt of the job looked at it. */
async function endBefore(
  executionId: string,
  { service, plan, listener }: Shared,
): Promise<KnownExecution['ending']> {
  try {
    const status = await service.executionStatus(executionId, plan.deadline.signal)
    listener.onStatus(status)
    return status.finished ? { kind: 'finished', outcome: concludeFrom(status), status } : undefined
  } catch {
    // Whatever is wrong: following it finds out, with patience.
    return undefined
  }
}

interface Told {
  report: ExecutionReport | undefined
  surprise: unknown
  resumed: boolean
}

function recordOf(
  { index, label }: BatchSeed,
  { attempts, conclusion = 'unknown', startedAt, endedAt, executionId }: RunWatch,
  { report, surprise, resumed }: Told,
  shared: Shared,
) {
  const { folder, showWords } = shared.collaborators
  const missing = missingOf(report?.files, showWords)
  const cause = report ? causeOf(report, showWords) : showWords(messageOf(surprise))
  const isLate = conclusion === 'not-started' && report && isOutOfTime(report, shared.stop)
  return {
    index,
    label,
    conclusion,
    attempts,
    resumed,
    startedAt,
    endedAt,
    cause,
    // A start that may have been accepted has no id, whatever was tried before it.
    executionId: report?.ending.kind === 'unknown-start' ? undefined : executionId,
    ...pathsOf(report?.files, folder),
    // A next step counts on the result of a run that succeeded.
    failsStep:
      shared.failsStep(isLate ? 'timed-out' : conclusion) ||
      (conclusion === 'success' && missing !== undefined),
  }
}
