/** The first line of a step whose job runs again: what an earlier attempt left, and what is done. */
import type { Conclusion } from '../execution/conclusion.ts'
import type { PriorState, RerunAction } from '../execution/rerun.ts'
import type { NoteName, NoteValues } from './catalogue.ts'
import { describeCount } from './quantities.ts'

/** What is known of the earlier execution of a step with one run. */
export interface EarlierFacts {
  state: PriorState
  action: RerunAction
  /** The attempt that started it; of this step where there is no record. */
  attempt: number
  /** Empty where it is not known. */
  executionId: string
  /** Empty where it is not over. */
  conclusion: Conclusion | ''
  /** Why something is not known, fit to be shown; empty where all is. */
  why: string
  /** Its result must match `result-schema`; else a new run takes its place. */
  isChecked: boolean
}

/** What a record says of the runs of a batch, before the service was asked about any. */
export interface EarlierRuns {
  kind: 'found'
  /** The attempt that left it. */
  attempt: number
  /** All succeeded, that was reported, and nothing of it is wanted again. */
  isReported: boolean
  succeeded: number
  /** Their ends were not seen. */
  open: number
  /**
   * Of these, what may have failed since and been started anew: with `retries`, or by the attempt that
   * had taken it over.
   */
  startedAnew: number
  /** Their starts may or may not have been accepted. */
  unclear: number
  total: number
  /** That attempt ended in good order, so that what it does not know was not started. */
  isClosed: boolean
  /** What succeeded must match `result-schema`. */
  isChecked: boolean
}

type RerunWarning = Extract<NoteName, `rerun-${string}`> | 'batch-starts-unknown' | 'may-be-doubled'

/** A line of the log, or a warning of the catalogue. */
export type RerunLine = string | { name: RerunWarning; values: NoteValues<RerunWarning> }

const doing: Record<RerunAction, string> = {
  start: 'starting a new run',
  follow: 'waiting for it; nothing new is started',
  'hand-over': 'handing its id over; nothing new is started',
  fail: 'nothing is started',
}

export const cancelledBeforeFound =
  'This step was cancelled while it looked for what an earlier attempt of this job had started: nothing is started'

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
      if (action === 'hand-over') return warning('rerun-not-learned', values)
      return lineOn(facts, `may still be running, as far as is known (${why})`, doing[action])
    case 'reported':
      return lineOn(facts, ended(facts, 'which has been reported already'), doing[action])
    case 'running':
      return lineOn(facts, 'is still running', doing[action])
    case 'succeeded':
    case 'failed':
      return lineOn(
        facts,
        ended(facts, 'which no attempt of this step has reported yet'),
        handingOn(facts),
      )
    case 'reusable':
      return lineOn(facts, 'ended with success', `${handingOn(facts)} (on-rerun: reuse)`)
    case 'refused':
      return lineOn(facts, `cannot be checked (${why})`, doing.fail)
    case 'cancelled':
      return lineOn(facts, 'was being checked when this step was cancelled', doing.fail)
  }
}

/** `why`: the first problem of its result. */
export function describeOutdated(executionId: string, why: string): string {
  return `Execution ${executionId} is not handed on, since its result is not what result-schema asks for (${why}): starting a new run`
}

/** `attempt`: this one. */
function describeNoRecord(attempt: number): string {
  return `Attempt ${attempt}: no earlier attempt of this job left a record of this step; starting`
}

/** The same of a batch, in numbers. `ownAttempt`: this one. */
export function describeBatchRerun(
  runs: EarlierRuns | { kind: 'none' } | { kind: 'unreadable'; why: string },
  ownAttempt: number,
): RerunLine[] {
  if (runs.kind === 'none') return [describeNoRecord(ownAttempt)]
  if (runs.kind === 'unreadable') return [warning('rerun-memory-unreadable', { why: runs.why })]
  const { attempt, isReported, succeeded, open, startedAnew, unclear, total } = runs
  const { isClosed, isChecked } = runs
  // Runs that were not in the list of that attempt may go on.
  if (isReported && open + unclear === 0) {
    return [`Attempt ${attempt} reported that all runs succeeded; starting new ones`]
  }
  const rest = total - succeeded - open
  const condition = isChecked ? ' where their results match result-schema' : ''
  const parts = [
    succeeded > 0 ? `${succeeded} succeeded and ${areOrIs(succeeded)} kept${condition}` : '',
    open > 0 ? `${open} may still be running and ${areOrIs(open)} taken over` : '',
    rest > 0 ? `${rest} ${areOrIs(rest)} started` : '',
  ].filter((part) => part !== '')
  const starts = { attempt: String(attempt), runs: describeCount(unclear, 'run') }
  // All that the record does not know, or knows to have failed, may have been started since.
  const inDoubt = isClosed ? 0 : rest - unclear + startedAnew
  const bound = { count: String(inDoubt), runs: describeCount(total, 'run') }
  return [
    `Attempt ${attempt} left a record of this step; of its ${describeCount(total, 'run')} ${parts.join(', ')}`,
    ...(unclear > 0 ? [warning('batch-starts-unknown', starts)] : []),
    ...(inDoubt > 0 ? [warning('may-be-doubled', bound)] : []),
  ]
}

function lineOn({ attempt, executionId }: EarlierFacts, state: string, done: string): string {
  return `Execution ${executionId}, which attempt ${attempt} started, ${state}: ${done}`
}

function ended({ conclusion }: EarlierFacts, isReported: string): string {
  return `ended with ${conclusion}, ${isReported}`
}

function handingOn({ action, isChecked }: EarlierFacts): string {
  if (action !== 'follow') return doing[action]
  return isChecked
    ? 'handing on what it left where that matches result-schema, else starting a new run'
    : 'handing on what it left; nothing new is started'
}

function areOrIs(amount: number): string {
  return amount === 1 ? 'is' : 'are'
}

function warning<Name extends RerunWarning>(name: Name, values: NoteValues<Name>): RerunLine {
  const none = { attempt: '', count: '', id: '', runs: '', why: '' }
  return { name, values: { ...none, ...values } }
}
