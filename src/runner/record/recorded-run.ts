/** What a record says of one run, and how that changes when the run ends. */
import { type Conclusion, outcomes } from '../../execution/conclusion.ts'
import type { RecordedRun } from '../../execution/rerun.ts'
import type { OnRerun } from '../inputs/again.ts'
import type { StepRecord } from './format.ts'

/** How a run ended, or how following it ended. */
export interface RecordedEnd {
  conclusion: Conclusion
  /** Undefined if the last start got no clear answer. */
  executionId: string | undefined
  /** Whether the service kept a result. */
  hadResult?: boolean | undefined
}

/** Returns what is known of a run after `end`. Returns `before` if `end` says nothing new. */
export function runAfterEnd(
  before: RecordedRun | undefined,
  { conclusion, executionId, hadResult }: RecordedEnd,
  attempt: number,
): RecordedRun | undefined {
  // An earlier start of the run may have been accepted.
  if (conclusion === 'refused' || conclusion === 'not-started') return before
  if (executionId === undefined) {
    return conclusion === 'unknown' ? { kind: 'start-unknown', attempt } : before
  }
  const known = idOf(before) === executionId ? before : undefined
  const outcome = outcomes.find((each) => each === conclusion)
  // An end that was seen before stays known.
  if (outcome === undefined) return known ?? { kind: 'started', attempt, executionId }
  const ended = {
    kind: 'ended',
    // The attempt that started the execution.
    attempt: known?.attempt ?? attempt,
    executionId,
    conclusion: outcome,
  } as const
  // The service may have lost a result that an earlier attempt saw.
  const wasSeen = known?.kind !== 'start-unknown' && known?.hadResult
  return wasSeen || hadResult ? { ...ended, hadResult: true } : ended
}

export function idOf(run: RecordedRun | undefined): string | undefined {
  return run && 'executionId' in run ? run.executionId : undefined
}

/** Returns the part of an earlier attempt's record that the record of this attempt begins with. */
export function continueRecord(record: StepRecord, onRerun: OnRerun): StepRecord {
  if (!record.isReported || onRerun === 'reuse') return record
  // An earlier list of a batch may have had other runs, which may still be running.
  const open = [...record.runs].filter(([, { kind }]) => kind !== 'ended')
  return { ...record, isReported: false, runs: new Map(open) }
}
