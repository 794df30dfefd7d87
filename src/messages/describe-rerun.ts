/** Describes re-runs: the first line of their log, and what a later re-run of `start` does. */
import type { Beginning, EarlierRun, Purpose } from '../execution/begin.ts'
import type { NoteName, NoteValues } from './catalogue.ts'
import { describeCount } from './quantities.ts'

/** What the record of an earlier attempt says about the runs of a batch. */
export interface EarlierBatch {
  kind: 'found'
  /** The attempt that saved the record. */
  savedBy: number
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
  /** The ids of runs that had not ended, and whose seeds are no longer in the list. */
  leftIds: readonly string[]
  /** True if the record names every run that the attempt started. */
  isFinal: boolean
}

type RerunWarning = Extract<NoteName, `rerun-${string}`> | 'batch-starts-unknown' | 'may-be-doubled'

/** A log line, or the name of a warning with the values for its text. */
export type RerunLine = string | { name: RerunWarning; values: NoteValues<RerunWarning> }

const startsNew = 'This step starts a new run.'
const startsNothing = 'This step starts nothing.'
const takesOver: Record<Purpose, string> = {
  follow: 'This step takes it over and starts nothing.',
  'output-id': 'This step outputs the id of that execution and starts nothing.',
}

export const cancelledBeforeFound =
  'This step was cancelled while it looked for the runs of an earlier attempt of this job. It starts nothing.'

/**
 * Returns the first log line of a re-run. `ownAttempt` is the number of this attempt. `why` says why
 * the service gave no valid answer (redacted).
 */
export function describeRerun(
  recorded: EarlierRun,
  beginning: Beginning,
  purpose: Purpose,
  { ownAttempt, why }: { ownAttempt: number; why: string },
): RerunLine {
  const { because, kind } = beginning
  const attempt = 'attempt' in recorded ? recorded.attempt : ownAttempt
  const executionId = recorded.kind === 'known' ? recorded.executionId : ''
  const done = kind === 'start' ? startsNew : takesOver[purpose]
  const isPublished = kind === 'take-over' && purpose === 'follow'
  const published = isPublished ? 'This step publishes its result and starts nothing.' : done
  const values = { attempt: String(attempt), id: executionId, why }
  const line = (state: string, does = done) =>
    `Execution ${executionId} of attempt ${attempt} ${state}. ${does}`
  switch (because) {
    case 'none':
      return describeNoRecord(attempt)
    case 'unreadable':
      return warning('rerun-record-unreadable', { why: 'why' in recorded ? recorded.why : why })
    case 'unclear':
      return warning('rerun-start-unknown', { attempt: String(attempt) })
    case 'gone':
      return warning('rerun-not-found', values)
    case 'unreachable':
      if (purpose === 'output-id') return warning('rerun-not-learned', values)
      return line(`may still be running (${why})`)
    case 'running':
      return line('is still running')
    case 'reported':
      return line(`${ended(recorded, beginning)}, and that attempt published it`)
    case 'succeeded':
    case 'failed':
      return line(`${ended(recorded, beginning)} (no attempt has reported this yet)`, published)
    case 'reusable':
      return line('ended with success, and on-rerun is reuse', published)
    case 'no-access':
      return line(`cannot be checked (${why})`, startsNothing)
    case 'cancelled':
      return line('was being checked when this step was cancelled', startsNothing)
  }
}

function ended(recorded: EarlierRun, beginning: Beginning): string {
  // The step takes over a run that has ended only if the run succeeded.
  const seen = beginning.kind === 'start' ? beginning.replaced?.outcome : 'success'
  const outcome = seen ?? (recorded.kind === 'known' ? recorded.outcome : undefined)
  return `ended with ${outcome ?? 'an unknown end'}`
}

function describeNoRecord(attempt: number): string {
  return `No earlier attempt left a record of this step. A run that ended and was published within 20 s leaves none, and neither does a runner that died within 20 s of the start. Attempt ${attempt} starts a new run.`
}

/** Says what a re-run of `start` does with the run of a cancelled step that is on record. */
export function describeRerunOfStart(onRerun: 'resume' | 'reuse'): string {
  const kept =
    onRerun === 'reuse' ? 'is still running then, or has succeeded' : 'is still running then'
  return `A re-run of this job outputs the id of this run if it ${kept}. Otherwise, it starts a new run.`
}

/** Describes the earlier runs of a batch. `ownAttempt` is the number of this attempt. */
export function describeBatchRerun(
  runs: EarlierBatch | { kind: 'none' } | { kind: 'unreadable'; why: string },
  ownAttempt: number,
): RerunLine[] {
  if (runs.kind === 'none') return [describeNoRecord(ownAttempt)]
  if (runs.kind === 'unreadable') return [warning('rerun-record-unreadable', { why: runs.why })]
  const { savedBy, isReported, succeeded, open, unclear, total, leftIds, isFinal } = runs
  // A run may be open although all runs were reported: that attempt did not have the seed of this run.
  if (isReported && open + unclear === 0) {
    return [`Attempt ${savedBy} reported that all runs succeeded. This step starts new runs.`]
  }
  const rest = total - succeeded - open
  const parts = [
    ...(succeeded > 0 ? [`${succeeded} succeeded (kept)`] : []),
    ...(open > 0 ? [`${open} may still be running (taken over)`] : []),
    ...(rest > 0 ? [`${rest} to start`] : []),
  ]
  const starts = { attempt: String(savedBy), runs: describeCount(unclear, 'run') }
  return [
    `Attempt ${savedBy} saved a record of this step. This attempt has ${describeCount(total, 'run')}: ${parts.join(', ')}`,
    ...(leftIds.length > 0 ? [describeLeft(leftIds)] : []),
    ...(unclear > 0 ? [warning('batch-starts-unknown', starts)] : []),
    ...(isFinal ? [] : [warning('may-be-doubled', {})]),
  ]
}

function describeLeft(ids: readonly string[]): string {
  const those = ids.length === 1 ? '1 run whose seed is' : `${ids.length} runs whose seeds are`
  return `The record also has ${those} not in the list any more. This step does not follow them, and they may still be running: ${ids.join(', ')}`
}

function warning<Name extends RerunWarning>(name: Name, values: NoteValues<Name>): RerunLine {
  const none = { attempt: '', id: '', runs: '', why: '' }
  return { name, values: { ...none, ...values } }
}
