/** Decides with the record of an earlier attempt of the job how a step begins, and logs it. */
import { Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import {
  begin,
  runToContinue,
  type Begin,
  type Purpose,
  type Recorded,
  type RerunMode,
} from '../execution/begin.ts'
import type { Emit, RunEvent } from '../execution/events.ts'
import { grace, nothingSeen } from '../execution/seen.ts'
import { usualLastCheckTime, type WatchEnv } from '../execution/watch.ts'
import {
  cancelledBeforeFound,
  describeBatchRerun,
  describeRerun,
  type EarlierRuns,
  type RerunLine,
} from '../messages/describe-rerun.ts'
import { nameOfOnlyRun, type StepRecord } from '../runner/record/format.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { Step } from '../runner/step.ts'
import { attemptOf } from '../runner/environment.ts'

/**
 * The time limit of the checks of the only run of a step, in milliseconds: 30 s until a 404 is final,
 * plus 2 s for the answer to the final check. The check after this time may take 2 s more.
 */
export const maxBeginTime = grace + usualLastCheckTime

/**
 * Reads the record of the earlier attempt, unless the step uses no record (the first attempt of a
 * job, `on-rerun: start`).
 */
export async function readEarlierRun(recorder: Recorder): Promise<void> {
  if (recorder.rerunMode) await recorder.read()
}

/**
 * Returns how the only run of a step begins, by the record that `readEarlierRun` has read. Requests
 * the state of its execution if necessary. `remaining` is the time that the step has left, in
 * milliseconds.
 */
export async function beginOnlyRun(
  recorder: Recorder,
  { purpose, remaining }: { purpose: Purpose; remaining: number },
  env: WatchEnv,
  emit: Emit,
  step: Step,
): Promise<Begin> {
  const mode = recorder.rerunMode
  if (!mode) return { kind: 'start', because: 'none', seen: nothingSeen }
  const recorded = recorder.earlier(nameOfOnlyRun)
  using deadline = new Deadline(env.clock, Math.min(maxBeginTime, remaining), env.cancelled)
  // The first line of the log says which row of the table applied. Lines about checks follow it.
  const events: RunEvent[] = []
  const keep = (event: RunEvent) => void events.push(event)
  const begun = await begin(recorded, { mode, purpose, deadline }, env, keep)
  const { failure } = begun.seen
  const why = failure ? messageOf(failure) : 'no answer arrived'
  const facts = { ownAttempt: attemptOf(step.environment), why }
  logRerun(describeRerun(recorded, begun, purpose, facts), step)
  for (const event of events) emit(event)
  return begun
}

function logRerun(said: RerunLine, { log, cancelled }: Step): void {
  if (typeof said === 'string') log.info(said)
  // A cancelled step did not finish reading the record, so it must not call the record unreadable.
  else if (said.name === 'rerun-memory-unreadable' && cancelled.aborted) {
    log.info(cancelledBeforeFound)
  } else log.note(said.name, said.values)
}

/**
 * Reads the record of the earlier attempt of a batch, and logs how many runs of each state it has.
 * `names` are the names of the runs in the record. If the step uses no record, reads nothing.
 */
export async function readEarlierRuns(
  recorder: Recorder,
  names: readonly string[],
  step: Step,
): Promise<void> {
  const mode = recorder.rerunMode
  if (!mode) return
  const found = await recorder.read()
  const facts =
    found.kind === 'found'
      ? countRecorded(
          found.record,
          names.map((name) => recorder.earlier(name)),
          mode,
          new Set(names),
        )
      : found
  for (const line of describeBatchRerun(facts, attemptOf(step.environment))) logRerun(line, step)
}

function countRecorded(
  { attempt, isClosed, isReported, runs: all }: StepRecord,
  runs: readonly Recorded[],
  mode: RerunMode,
  names: ReadonlySet<string>,
): EarlierRuns {
  const counts = { succeeded: 0, open: 0, unclear: 0 }
  for (const run of runs) {
    if (run.kind === 'unclear') counts.unclear += 1
    const known = runToContinue(run, mode)
    if (known) counts[known.outcome === 'success' ? 'succeeded' : 'open'] += 1
  }
  const leftIds = [...all].flatMap(([name, run]) =>
    run.kind === 'started' && !names.has(name) ? run.executionId : [],
  )
  const isDone = isReported && mode !== 'reuse'
  return {
    kind: 'found',
    attempt,
    isReported: isDone,
    ...counts,
    total: runs.length,
    leftIds,
    isClosed,
  }
}
