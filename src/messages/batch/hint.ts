/** Composes the advice after a batch. */
import type { BatchCounts } from '../../execution/batch/batch.ts'
import { waitAction } from '../../version.ts'
import { cancelledBefore } from '../advice.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import type { BatchEnd } from './end.ts'
import type { ShownRun } from './runs.ts'

const maxPathLength = 300
const byItsId = `with ${waitAction} and its execution id`
const eachRun = `each run ${byItsId}. A re-run of this job starts all runs again.`
const lookForRuns =
  "Look in the service's dashboard or webhook receiver for runs of the seeds whose start got no clear answer. A re-run starts these seeds again."

const lostForGood =
  'The service no longer has some results. To get them, start a new workflow run. It starts all runs again.'

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
    ...(open > 0 ? [`Or fetch each run in progress with ${waitAction}.`] : []),
    ...(isGone ? [lostForGood] : []),
  ]
}

/** True if the start may have been accepted and there is no id. */
function isUnansweredStart({ category, executionId }: ShownRun): boolean {
  return category === 'unknown' && executionId === undefined
}

/** `isKnown`: a re-run finds the runs of this step. */
function whatRerunDoes({ succeeded, total }: BatchCounts, open: number, isKnown: boolean): string {
  if (succeeded === total) return 'it fetches the missing results and starts nothing'
  if (succeeded + open === 0) return 'it starts all runs'
  if (!isKnown) return 'it starts all runs again'
  if (open === 0) return 'it keeps successful runs and starts the rest'
  const isAll = succeeded + open === total
  if (succeeded === 0) {
    return isAll
      ? 'it takes over runs in progress'
      : 'it takes over runs in progress and starts the rest'
  }
  return isAll
    ? 'it keeps successful runs and takes over runs in progress'
    : 'it keeps successful runs, takes over runs in progress and starts the rest'
}

/** By a re-run: a record can be read with the credentials alone that it was written with. */
function isFound({ isOnRecord, stoppedBy }: BatchEnd): boolean {
  return isOnRecord && !(stoppedBy?.kind === 'credentials' && stoppedBy.failure.status === 401)
}

/** Returns the first thing to do. */
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
  return isFailure ? 'Fix the cause.' : undefined
}

function seedsAlone({ counts, artifact, failedSeedsFile }: BatchEnd, show: Show): string[] {
  if (failedSeedsFile === undefined) return []
  const file = artifact ? 'failed-seeds.jsonl of the artifact' : failedSeedsFile
  const path = inline(show(file), maxPathLength)
  const where = `: use ${path} as seeds-file.`
  const { failed, notStarted } = counts
  if (failed > 0 && notStarted > 0) {
    return [`Or start only the seeds that failed or were not started${where}`]
  }
  if (failed > 0) return [`Or start only the failed seeds${where}`]
  return notStarted > 0 ? [`Or start only the seeds that were not started${where}`] : []
}
