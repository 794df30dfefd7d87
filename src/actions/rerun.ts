/** Reads the record of an earlier attempt of the job, and logs what the step does about it. */
import { Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { begin, maxBeginTime, type Begin, type Purpose } from '../execution/begin.ts'
import type { Emit, RunEvent } from '../execution/events.ts'
import { nothingSeen } from '../execution/seen.ts'
import type { WatchEnv } from '../execution/watch.ts'
import {
  cancelledBeforeFound,
  describeBatchRerun,
  describeRerun,
  type EarlierRuns,
  type RerunLine,
} from '../messages/rerun.ts'
import type { BatchInputs } from '../runner/inputs/read-batch.ts'
import { onlyRun, type StepRecord } from '../runner/record/format.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { EarlierRecord } from '../runner/record/store.ts'
import type { Step } from '../runner/step.ts'
import { attemptOf } from '../runner/environment.ts'

/**
 * Returns how the only run of a step begins. Reads the record of the earlier attempt, and requests
 * the state of its execution if necessary. If the step uses no record (the first attempt of a job,
 * `on-rerun: start`), reads nothing. `remaining` is the time that the step has left, in milliseconds.
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
  await recorder.read()
  const recorded = recorder.earlier(onlyRun)
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

/** Logs how many runs of each state are in the record of an earlier attempt. */
export function reportEarlierRuns(
  record: EarlierRecord,
  names: readonly string[],
  { onRerun }: BatchInputs['rerun'],
  step: Step,
): void {
  const facts = record.kind === 'found' ? countRecorded(record.record, names, onRerun) : record
  for (const line of describeBatchRerun(facts, attemptOf(step.environment))) logRerun(line, step)
}

function countRecorded(
  { attempt, isClosed, isReported, runs }: StepRecord,
  names: readonly string[],
  onRerun: BatchInputs['rerun']['onRerun'],
): EarlierRuns {
  const counts = { succeeded: 0, open: 0, unclear: 0 }
  const isDone = isReported && onRerun !== 'reuse'
  for (const name of names) {
    const run = runs.get(name)
    if (run?.kind === 'start-unknown') counts.unclear += 1
    else if (run?.kind === 'started') counts.open += 1
    else if (run?.conclusion === 'success' && !isDone) counts.succeeded += 1
  }
  return { kind: 'found', attempt, isReported: isDone, ...counts, total: names.length, isClosed }
}
