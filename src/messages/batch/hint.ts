/** What to do after a batch; each sentence names only what there is. */
import type { BatchCounts } from '../../execution/batch/batch.ts'
import { waitAction } from '../../version.ts'
import { cancelledBefore, capitalised } from '../advice.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import type { BatchEnd } from './end.ts'
import type { ShownRun } from './runs.ts'

const maxPathLength = 300
const byItsId = `with ${waitAction} and its execution id`
const lookForRuns =
  "Look in the service's dashboard, or at the receiver of the webhook, for runs of the seeds whose start got no clear answer: a re-run of this job starts them again."

const lostForGood =
  'Results that the service no longer has come back only with a new workflow run, which starts all runs again.'

export function batchHint(end: BatchEnd, show: Show): string {
  const { counts, runs, conclusion } = end
  if (conclusion === 'cancelled' && counts.notStarted === counts.total) return cancelledBefore.hint
  const unanswered = runs.filter(isUnansweredStart).length
  return [
    ...(unanswered > 0 ? [lookForRuns] : []),
    ...rerunOrFetch(end, unanswered),
    ...seedsAlone(end, show),
  ].join(' ')
}

/** It may have been accepted, without an id that would prove it. */
function isUnansweredStart({ category, executionId }: ShownRun): boolean {
  return category === 'unknown' && executionId === undefined
}

/** `unanswered`: how many starts; what to do about them comes before this. */
function rerunOrFetch(end: BatchEnd, unanswered: number): string[] {
  const { counts, conclusion, runs } = end
  // They have an id, and may go on.
  const open = counts.unknown + counts.unfinished - unanswered
  const missing = runs.filter(({ failsStep }) => failsStep)
  const isGone = runs.some(({ isResultGone }) => isResultGone)
  if (isGone && counts.succeeded === counts.total && missing.every((run) => run.isResultGone)) {
    return [lostForGood]
  }
  const cure = cureOf(end)
  const first = cure === '' && unanswered > 0 ? 'then ' : cure
  const isKnown = isFound(end)
  // A re-run would start these a second time.
  if (!isKnown && (open > 0 || counts.succeeded === counts.total)) {
    const fetch = `fetch each run ${byItsId}: a re-run of this job starts all runs again.`
    return [capitalised(`${first}${fetch}`)]
  }
  const isLate = conclusion === 'timed-out' && (cure === '' || counts.failed > 0)
  const moreTime = isLate ? 'increase the timeout input, or ' : ''
  const unless = conclusion === 'cancelled' ? ', unless a newer workflow run replaced this one' : ''
  return [
    capitalised(`${first}${moreTime}re-run this job${unless}: it ${does(counts, open, isKnown)}.`),
    ...(open > 0 ? [`Or fetch each run that may go on ${byItsId}.`] : []),
    ...(isGone ? [lostForGood] : []),
  ]
}

function does({ succeeded, total }: BatchCounts, open: number, isKnown: boolean): string {
  if (succeeded === total) return 'fetches the missing results, and starts nothing'
  if (succeeded + open === 0) return 'starts all runs'
  if (!isKnown) return 'starts all runs again'
  const parts = [
    ...(succeeded > 0 ? ['keeps what succeeded'] : []),
    ...(open > 0 ? ['takes over what still runs'] : []),
    ...(total > succeeded + open ? ['starts the rest'] : []),
  ]
  return parts.join(', ').replace(/, ([^,]+)$/, ' and $1')
}

/** By a re-run: a record can be read with the credentials alone that it was written with. */
function isFound({ isOnRecord, stoppedBy }: BatchEnd): boolean {
  return isOnRecord && !(stoppedBy?.kind === 'credentials' && stoppedBy.failure.status === 401)
}

/** What comes first; the beginning of a sentence, or nothing. */
function cureOf({ conclusion, stoppedBy, counts, runs }: BatchEnd): string {
  if (conclusion === 'cancelled') return ''
  const advice = runs.find((run) => run.advice !== undefined)?.advice
  if (advice !== undefined && counts.notStarted === counts.total) {
    return `${advice.replace(/\.$/, '')}, then `
  }
  if (stoppedBy?.kind === 'credentials') {
    return stoppedBy.failure.status === 401 || stoppedBy.call === 'check'
      ? 'Check api-token, api-key and authorization-scheme, then '
      : "Check project and automation, and that the token's account may use them, then "
  }
  const isFailure = counts.failed > 0 || (counts.notStarted > 0 && conclusion !== 'timed-out')
  return isFailure ? 'Fix what caused the failures, then ' : ''
}

function seedsAlone({ counts, artifact, failedSeedsFile }: BatchEnd, show: Show): string[] {
  const { failed, notStarted } = counts
  if (failedSeedsFile === undefined || failed + notStarted === 0) return []
  const file = artifact ? 'failed-seeds.jsonl in the artifact' : failedSeedsFile
  const which = [...(failed > 0 ? ['failed'] : []), ...(notStarted > 0 ? ['were not started'] : [])]
  const path = inline(show(file), maxPathLength)
  return [`Or start those that ${which.join(' or ')} alone: ${path} is the seeds-file for them.`]
}
