/** Reads what an earlier attempt of the job recorded about the runs of a batch, and logs it. */
import { runToTakeOver, type EarlierRun, type RerunMode } from '../../execution/begin.ts'
import { describeBatchRerun, type EarlierBatch } from '../../messages/describe-rerun.ts'
import { attemptOf } from '../../runner/environment.ts'
import type { StepRecord } from '../../runner/record/record.ts'
import type { Recorder } from '../../runner/record/recorder.ts'
import type { Step } from '../../runner/step.ts'
import { logRerun } from '../run-log.ts'

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
  { savedBy, isFinal, isReported, runs: all }: StepRecord,
  runs: readonly EarlierRun[],
  mode: RerunMode,
  names: ReadonlySet<string>,
): EarlierBatch {
  const counts = { succeeded: 0, open: 0, unclear: 0 }
  for (const run of runs) {
    if (run.kind === 'unclear') counts.unclear += 1
    const known = runToTakeOver(run, mode)
    if (known) counts[known.outcome === 'success' ? 'succeeded' : 'open'] += 1
  }
  const leftIds = [...all].flatMap(([name, run]) =>
    run.kind === 'known' && !run.outcome && !names.has(name) ? run.executionId : [],
  )
  const isDone = isReported && mode !== 'reuse'
  const total = runs.length
  return { kind: 'found', savedBy, isReported: isDone, ...counts, total, leftIds, isFinal }
}
