/** What to do after a batch; each sentence names only what there is. */
import type { BatchCounts } from '../../execution/batch/batch.ts'
import { waitAction } from '../../version.ts'
import { cancelledBefore } from '../advice.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import type { BatchEnd } from './end.ts'
import type { ShownRun } from './runs.ts'

const maxPathLength = 300
const byItsId = `with ${waitAction} and its execution id`
const eachRun = `each run ${byItsId}: a re-run of this job starts all runs again.`
const lookForRuns =
  "Look in the service's dashboard, or at the receiver of the webhook, for runs of the seeds whose start got no clear answer: a re-run of this job starts them again."

const lostForGood =
  'Results that the service no longer has come back only with a new workflow run, which starts all runs again.'

export function batchHint(end: BatchEnd, show: Show): string {
  const { counts, conclusion } = end
  if (conclusion === 'cancelled' && counts.notStarted === counts.total) return cancelledBefore.hint
  return [...rerunOrFetch(end), ...seedsAlone(end, show)].join(' ')
}

function rerunOrFetch(end: BatchEnd): string[] {
  const { counts, conclusion, runs } = end
  const unanswered = runs.filter(isUnansweredStart).length
  // They have an id, and may still be running.
  const open = counts.unknown + counts.unfinished - unanswered
  const isGone = runs.some(({ isResultGone }) => isResultGone)
  const failing = runs.filter(({ failsStep }) => failsStep)
  if (isGone && counts.succeeded === counts.total && failing.every((run) => run.isResultGone)) {
    return [lostForGood]
  }
  const cure = cureOf(end)
  const before = [...(unanswered > 0 ? [lookForRuns] : []), ...(cure === undefined ? [] : [cure])]
  const isKnown = isFound(end)
  // A re-run would start these a second time.
  if (!isKnown && (open > 0 || counts.succeeded === counts.total)) {
    return [...before, before.length > 0 ? `Then fetch ${eachRun}` : `Fetch ${eachRun}`]
  }
  if (conclusion === 'timed-out' && (cure === undefined || counts.failed > 0)) {
    before.push('Increase the input timeout.')
  }
  const rerun = before.length > 0 ? 'Then re-run this job' : 'Re-run this job'
  const unless = conclusion === 'cancelled' ? ', unless a newer workflow run replaced this one' : ''
  return [
    ...before,
    `${rerun}${unless}: ${whatRerunDoes(counts, open, isKnown)}.`,
    ...(open > 0 ? [`Or fetch each run that may go on ${byItsId}.`] : []),
    ...(isGone ? [lostForGood] : []),
  ]
}

/** It may have been accepted, without an id that would prove it. */
function isUnansweredStart({ category, executionId }: ShownRun): boolean {
  return category === 'unknown' && executionId === undefined
}

/** `isKnown`: a re-run finds the runs of this step. */
function whatRerunDoes({ succeeded, total }: BatchCounts, open: number, isKnown: boolean): string {
  if (succeeded === total) return 'it fetches the missing results, and starts nothing'
  if (succeeded + open === 0) return 'it starts all runs'
  if (!isKnown) return 'it starts all runs again'
  if (open === 0) return 'it keeps what succeeded and starts the rest'
  const isAll = succeeded + open === total
  if (succeeded === 0) {
    return isAll
      ? 'it takes over what still runs'
      : 'it takes over what still runs and starts the rest'
  }
  return isAll
    ? 'it keeps what succeeded and takes over what still runs'
    : 'it keeps what succeeded, takes over what still runs and starts the rest'
}

/** By a re-run: a record can be read with the credentials alone that it was written with. */
function isFound({ isOnRecord, stoppedBy }: BatchEnd): boolean {
  return isOnRecord && !(stoppedBy?.kind === 'credentials' && stoppedBy.failure.status === 401)
}

/** What to do first. */
function cureOf({ conclusion, stoppedBy, counts, runs }: BatchEnd): string | undefined {
  if (conclusion === 'cancelled') return undefined
  const advice = runs.find((run) => run.advice !== undefined)?.advice
  if (advice !== undefined && counts.notStarted === counts.total) return advice
  if (stoppedBy?.kind === 'credentials') {
    return stoppedBy.failure.status === 401 || stoppedBy.call === 'check'
      ? 'Check api-token, api-key and authorization-scheme.'
      : "Check project and automation, and that the token's account may use them."
  }
  const isFailure = counts.failed > 0 || (counts.notStarted > 0 && conclusion !== 'timed-out')
  return isFailure ? 'Fix what caused the failures.' : undefined
}

function seedsAlone({ counts, artifact, failedSeedsFile }: BatchEnd, show: Show): string[] {
  if (failedSeedsFile === undefined) return []
  const file = artifact ? 'failed-seeds.jsonl in the artifact' : failedSeedsFile
  const path = inline(show(file), maxPathLength)
  const where = `alone: ${path} is the seeds-file for them.`
  const { failed, notStarted } = counts
  if (failed > 0 && notStarted > 0) {
    return [`Or start those that failed or were not started ${where}`]
  }
  if (failed > 0) return [`Or start those that failed ${where}`]
  return notStarted > 0 ? [`Or start those that were not started ${where}`] : []
}
