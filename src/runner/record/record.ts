/** What a step records about its runs for a re-run of the job, and how a record changes. */
import type { RecordedExecution, UnclearStart } from '../../execution/begin.ts'
import { type Conclusion, outcomes } from '../../execution/conclusion.ts'
import type { Rerun } from '../inputs/action-inputs.ts'
import type { Hmac } from './identity.ts'

export interface StepRecord {
  /**
   * The attempt of the job that saved the record. If the record is a key, the attempt that started
   * the run, because a key has no other attempt.
   */
  savedBy: number
  /** True if the step saved the record at its end, with all executions that it has started. */
  isFinal: boolean
  /** True if all outputs and all results were written. In a batch, all runs must have succeeded too. */
  isReported: boolean
  /** Each key is the name of a run. */
  runs: ReadonlyMap<string, RecordedRun>
}

/** What a record says about one run. */
export type RecordedRun = UnclearStart | RecordedExecution

/** The name of the run in a step with a single run. */
export const nameOfOnlyRun = 'run'

/** Returns a run's name: the hash of its seed and the number of equal seeds earlier in the list. */
export function nameOfSeed(seed: { key: string; occurrence: number }, hmac: Hmac): string {
  return `${hmac('seed', seed.key)}-${seed.occurrence}`
}

/** How a run ended, or why the step stopped waiting for the run. */
export interface RecordedEnd {
  conclusion: Conclusion
  /** The id of the latest execution. Undefined if no id is known for the latest start. */
  executionId: string | undefined
}

/**
 * Returns the record of a run that has ended. Returns `before` if the end adds no information.
 * `attempt` is the number of this attempt. `time` is the current time, in milliseconds since 1970.
 */
export function runAfterEnd(
  before: RecordedRun | undefined,
  { conclusion, executionId }: RecordedEnd,
  attempt: number,
  time: number,
): RecordedRun | undefined {
  // This step started nothing. An earlier start may have been accepted, so `before` is kept.
  if (conclusion === 'refused' || conclusion === 'not-started') return before
  if (executionId === undefined) {
    return conclusion === 'unknown' ? { kind: 'unclear', attempt } : before
  }
  const isKnown = before?.kind === 'known' && before.executionId === executionId
  const run: RecordedExecution = isKnown ? before : { kind: 'known', attempt, executionId }
  const outcome = outcomes.find((each) => each === conclusion)
  // This step did not see the end of the execution, but an earlier attempt may have seen it.
  if (outcome === undefined) return run
  return { ...run, outcome, endedAt: run.endedAt ?? time }
}

export function idOf(run: RecordedRun | undefined): string | undefined {
  return run?.kind === 'known' ? run.executionId : undefined
}

/** Returns the part of an earlier attempt's record that this attempt also saves. */
export function continueRecord(record: StepRecord, onRerun: Rerun['onRerun']): StepRecord {
  if (!record.isReported || onRerun === 'reuse') return record
  // An earlier attempt may have had other seeds. The runs of those seeds may still be running.
  const open = [...record.runs].filter(([, run]) => run.kind === 'unclear' || !run.outcome)
  return { ...record, isReported: false, runs: new Map(open) }
}
