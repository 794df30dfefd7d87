/** Updates the record of one run, after the end of the run or at the beginning of a re-run. */
import { type Conclusion, outcomes } from '../../execution/conclusion.ts'
import type { Rerun } from '../inputs/action-inputs.ts'
import type { RecordedRun, StepRecord } from './format.ts'

/** How a run ended, or why the step stopped waiting for the run. */
export interface RecordedEnd {
  conclusion: Conclusion
  /** The id of the latest execution. Undefined if no id is known for the latest start. */
  executionId: string | undefined
}

/** Returns the record of a run that has ended. Returns `before` if the end adds no information. */
export function runAfterEnd(
  before: RecordedRun | undefined,
  { conclusion, executionId }: RecordedEnd,
  attempt: number,
): RecordedRun | undefined {
  // This step started nothing. An earlier start may have been accepted, so `before` is kept.
  if (conclusion === 'refused' || conclusion === 'not-started') return before
  if (executionId === undefined) {
    return conclusion === 'unknown' ? { kind: 'start-unknown', attempt } : before
  }
  const known = idOf(before) === executionId ? before : undefined
  const outcome = outcomes.find((each) => each === conclusion)
  // This step did not see the end of the execution, but an earlier attempt may have seen it.
  if (outcome === undefined) return known ?? { kind: 'started', attempt, executionId }
  return { kind: 'ended', attempt: known?.attempt ?? attempt, executionId, conclusion: outcome }
}

export function idOf(run: RecordedRun | undefined): string | undefined {
  return run && 'executionId' in run ? run.executionId : undefined
}

/** Returns the part of an earlier attempt's record that this attempt also saves. */
export function continueRecord(record: StepRecord, onRerun: Rerun['onRerun']): StepRecord {
  if (!record.isReported || onRerun === 'reuse') return record
  // An earlier attempt may have had other seeds. The runs of those seeds may still be running.
  const open = [...record.runs].filter(([, { kind }]) => kind !== 'ended')
  return { ...record, isReported: false, runs: new Map(open) }
}
