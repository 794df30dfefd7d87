/** Composes the first log line of a re-run: the state of the earlier run and what the step does. */
import type { Conclusion } from '../execution/conclusion.ts'
import type { PriorState, RerunAction } from '../execution/rerun.ts'
import type { NoteName, NoteValues } from './catalogue.ts'
import { describeCount } from './quantities.ts'

/** What this attempt knows about the run that an earlier attempt of the job started. */
export interface EarlierFacts {
  state: PriorState
  action: RerunAction
  /** The attempt that started the run. If there is no record, this attempt. */
  attempt: number
  /** The execution id. Empty if the id is not known. */
  executionId: string
  /** The conclusion of the run. Empty if the run has not finished. */
  conclusion: Conclusion | ''
  /** Why a fact is not known. Empty if all facts are known. */
  why: string
}

/** What the record of an earlier attempt says about the runs of a batch. */
export interface EarlierRuns {
  kind: 'found'
  /** The number of the attempt that saved the record. */
  attempt: number
  /**
   * True if the attempt that saved the record reported the success of all runs. Always false if the
   * input `on-rerun` is `reuse`.
   */
  isReported: boolean
  succeeded: number
  /** The number of runs that had not ended when the record was saved. */
  open: number
  /** The number of runs whose start the service may or may not have accepted. */
  unclear: number
  total: number
  /** True if the record names every run that the attempt started. */
  isClosed: boolean
}

type RerunWarning = Extract<NoteName, `rerun-${string}`> | 'batch-starts-unknown' | 'may-be-doubled'

/** A log line, or the name of a warning with the values for its text. */
export type RerunLine = string | { name: RerunWarning; values: NoteValues<RerunWarning> }

const doing: Record<RerunAction, string> = {
  start: 'This step starts a new run.',
  follow: 'This step takes it over and starts nothing.',
  'output-id': 'This step outputs the id of that execution and starts nothing.',
  fail: 'This step starts nothing.',
}

export const cancelledBeforeFound =
  'This step was cancelled while it looked for the runs of an earlier attempt of this job. It starts nothing.'

export function describeRerun(facts: EarlierFacts): RerunLine {
  const { state, action, attempt, executionId, why } = facts
  const values = { attempt: String(attempt), id: executionId, why }
  switch (state) {
    case 'unreadable':
      return warning('rerun-memory-unreadable', { why })
    case 'no-record':
      return describeNoRecord(attempt)
    case 'start-unknown':
    case 'not-found':
      return warning(`rerun-${state}`, values)
    case 'unavailable':
      if (action === 'output-id') return warning('rerun-not-learned', values)
      return lineOn(facts, `may still be running (${why})`, doing[action])
    case 'reported':
      return lineOn(facts, ended(facts, 'an earlier attempt has reported this'), doing[action])
    case 'running':
      return lineOn(facts, 'is still running', doing[action])
    case 'succeeded':
    case 'failed':
      return lineOn(
        facts,
        ended(facts, 'no attempt has reported this yet'),
        describePublishing(facts),
      )
    case 'reusable':
      return lineOn(facts, 'ended with success, and on-rerun is reuse', describePublishing(facts))
    case 'refused':
      return lineOn(facts, `cannot be checked (${why})`, doing.fail)
    case 'cancelled':
      return lineOn(facts, 'was being checked when this step was cancelled', doing.fail)
  }
}

function describeNoRecord(attempt: number): string {
  return `No earlier attempt of this job saved a record of this step. Attempt ${attempt} starts from the beginning.`
}

/** Describes the earlier runs of a batch. `ownAttempt` is the number of this attempt. */
export function describeBatchRerun(
  runs: EarlierRuns | { kind: 'none' } | { kind: 'unreadable'; why: string },
  ownAttempt: number,
): RerunLine[] {
  if (runs.kind === 'none') return [describeNoRecord(ownAttempt)]
  if (runs.kind === 'unreadable') return [warning('rerun-memory-unreadable', { why: runs.why })]
  const { attempt, isReported, succeeded, open, unclear, total, isClosed } = runs
  // The record may have running runs of seeds that were removed since. Such runs are not counted.
  if (isReported && open + unclear === 0) {
    return [`Attempt ${attempt} reported that all runs succeeded. This step starts new runs.`]
  }
  const rest = total - succeeded - open
  const parts = [
    succeeded > 0 ? `${succeeded} succeeded and ${areOrIs(succeeded)} kept` : '',
    open > 0 ? `${open} may still be running and ${areOrIs(open)} taken over` : '',
    rest > 0 ? `${rest} ${areOrIs(rest)} started` : '',
  ].filter((part) => part !== '')
  const starts = { attempt: String(attempt), runs: describeCount(unclear, 'run') }
  return [
    `Attempt ${attempt} saved a record of this step. This attempt has ${describeCount(total, 'run')}: ${parts.join(', ')}`,
    ...(unclear > 0 ? [warning('batch-starts-unknown', starts)] : []),
    ...(isClosed ? [] : [warning('may-be-doubled', {})]),
  ]
}

function lineOn({ attempt, executionId }: EarlierFacts, state: string, done: string): string {
  return `Execution ${executionId} of attempt ${attempt} ${state}. ${done}`
}

function ended({ conclusion }: EarlierFacts, isReported: string): string {
  return `ended with ${conclusion} (${isReported})`
}

function describePublishing({ action }: EarlierFacts): string {
  if (action !== 'follow') return doing[action]
  return 'This step publishes its result and starts nothing.'
}

function areOrIs(amount: number): string {
  return amount === 1 ? 'is' : 'are'
}

function warning<Name extends RerunWarning>(name: Name, values: NoteValues<Name>): RerunLine {
  const none = { attempt: '', id: '', runs: '', why: '' }
  return { name, values: { ...none, ...values } }
}
