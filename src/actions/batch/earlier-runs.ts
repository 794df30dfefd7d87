/** What the record of an earlier attempt says of the runs of a batch, in numbers for the log. */
import {
  describeBatchRerun,
  describeNoRecord,
  describeUnreadable,
  type EarlierRuns,
  type RerunLine,
} from '../../messages/rerun.ts'
import type { OnRerun } from '../../runner/inputs/again.ts'
import type { StepRecord } from '../../runner/record/format.ts'
import type { EarlierRecord } from '../../runner/record/recorder.ts'

interface ThisAttempt {
  attempt: number
  onRerun: OnRerun
  /** Of the runs of this step. */
  names: readonly string[]
  retries: number
}

export function describeEarlier(found: EarlierRecord, own: ThisAttempt): RerunLine[] {
  switch (found.kind) {
    case 'not-asked':
      return []
    case 'nothing':
      return [describeNoRecord(own.attempt)]
    case 'unreadable':
      return [describeUnreadable(found.why)]
    case 'found':
      return describeBatchRerun(countRuns(found.record, own))
  }
}

/**
 * After a record that was not closed `unknown` also has those whose last execution it may not know:
 * what failed may have been started anew since, and what ran may have failed and been retried.
 */
function countRuns(
  { attempt, isClosed, isReported, runs }: StepRecord,
  { onRerun, names, retries }: ThisAttempt,
): EarlierRuns {
  const counts = { succeeded: 0, open: 0, failed: 0, unclear: 0, unknown: 0 }
  for (const name of names) {
    const run = runs.get(name)
    if (!run) counts.unknown += 1
    else if (run.kind === 'start-unknown') counts.unclear += 1
    else if (run.kind === 'started') counts.open += 1
    else if (run.conclusion === 'success') counts.succeeded += 1
    else counts.failed += 1
  }
  if (!isClosed) counts.unknown += counts.failed + (retries > 0 ? counts.open : 0)
  const total = names.length
  return { attempt, isReported: isReported && onRerun !== 'reuse', ...counts, total, isClosed }
}
