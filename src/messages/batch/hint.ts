/** What to do after a batch; each sentence names only what there is. */
import type { BatchCounts } from '../../execution/batch/batch.ts'
import { waitAction } from '../../version.ts'
import { cancelledBefore, capitalised } from '../advice.ts'
import { describeCount } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import type { BatchEnd } from './end.ts'
import type { ShownRun } from './runs.ts'

const maxPathLength = 300
const byItsId = `with ${waitAction} and its execution id`
const lookForRuns =
  "Before you re-run this job, look in the service's dashboard, or at the receiver of the webhook, for runs of the seeds whose start got no answer: a re-run starts them again."

export function batchHint(end: BatchEnd, show: Show): string {
  const { counts, runs, conclusion } = end
  const isCancelled = conclusion === 'cancelled'
  if (isCancelled && counts.notStarted === counts.total) return cancelledBefore.hint
  const unanswered = runs.filter(isUnansweredStart).length
  const unreached = isCancelled ? 0 : runs.filter(isUnreached).length
  return [
    ...(unanswered > 0 ? [lookForRuns] : []),
    ...(unreached > 0 ? [increaseFor(unreached)] : []),
    ...rerunOrFetch(end, counts.unknown + counts.unfinished - unanswered, unreached > 0),
    ...seedsAlone(end, show),
  ].join(' ')
}

/** It may have been accepted, without an id that would prove it. */
function isUnansweredStart({ category, executionId }: ShownRun): boolean {
  return category === 'unknown' && executionId === undefined
}

/** Of an earlier attempt, without the time to ask for it: it may be over. */
function isUnreached({ conclusion, stopReason }: ShownRun): boolean {
  return conclusion === 'timed-out' && stopReason !== undefined
}

/** `open`: how many runs that have an id may go on. `isCutShort`: what to do for time is said. */
function rerunOrFetch(end: BatchEnd, open: number, isCutShort: boolean): string[] {
  const { counts, conclusion } = end
  const isCancelled = conclusion === 'cancelled'
  const isKnown = isFound(end)
  const cure = isCancelled ? undefined : cureOf(end)
  const fetch =
    open > 0
      ? `fetch each run that may go on ${byItsId}.`
      : `fetch each of them ${byItsId}: a re-run of this job starts all runs again.`
  // A re-run would start these a second time.
  if (!isKnown && (open > 0 || counts.succeeded === counts.total)) {
    return [capitalised(cure === undefined ? fetch : `${cure}, and ${fetch}`)]
  }
  const isLate = !isCancelled && !isCutShort && counts.notStarted + counts.unfinished > 0
  const orMoreTime = isLate ? 'increase the timeout input, or ' : ''
  const unless = isCancelled ? ', unless a newer workflow run replaced this one' : ''
  const rerun = `re-run this job${unless}: ${rerunDoes(counts, open, isKnown)}.`
  return [
    capitalised(cure === undefined ? `${orMoreTime}${rerun}` : `${cure}, then ${rerun}`),
    ...(open > 0 ? [`Or ${fetch}`] : []),
  ]
}

/** By a re-run: a record can be read with the credentials alone that it was written with. */
function isFound({ isOnRecord, stoppedBy }: BatchEnd): boolean {
  return isOnRecord && !(stoppedBy?.kind === 'credentials' && stoppedBy.failure.status === 401)
}

function cureOf({ conclusion, stoppedBy, counts }: BatchEnd): string | undefined {
  if (stoppedBy?.kind === 'credentials') {
    return stoppedBy.failure.status === 401
      ? 'Check api-token, api-key and authorization-scheme'
      : 'Check what api-token and api-key may do, project and automation'
  }
  const isFailure = counts.failed > 0 || (counts.notStarted > 0 && conclusion !== 'timed-out')
  return isFailure ? 'Fix what caused the failures' : undefined
}

function rerunDoes({ succeeded, total }: BatchCounts, open: number, isKnown: boolean): string {
  if (succeeded + open === 0) return 'it starts them'
  if (!isKnown) return 'it starts all runs again'
  if (succeeded === total)
    return 'it fetches the missing results, and starts none of these runs anew'
  const parts = [
    ...(succeeded > 0 ? ['keeps what succeeded'] : []),
    ...(open > 0 ? ['takes over what still runs'] : []),
    ...(succeeded + open < total ? ['starts the rest'] : []),
  ]
  return `it ${parts.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`
}

/** Each costs a status check: a re-run with the same timeout may not get further. */
function increaseFor(unreached: number): string {
  const runs = describeCount(unreached, 'run')
  return `Increase the timeout input: it ran out before the service had said how ${runs} of an earlier attempt ended (10,000 take half an hour).`
}

function seedsAlone({ counts, artifact, failedSeedsFile }: BatchEnd, show: Show): string[] {
  const { failed, notStarted } = counts
  if (failedSeedsFile === undefined || failed + notStarted === 0) return []
  const file = artifact ? 'failed-seeds.jsonl in the artifact' : failedSeedsFile
  const which = [...(failed > 0 ? ['failed'] : []), ...(notStarted > 0 ? ['were not started'] : [])]
  const path = inline(show(file), maxPathLength)
  return [`Or start those that ${which.join(' or ')} alone: ${path} is the seeds-file for them.`]
}
