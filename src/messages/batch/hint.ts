/** Composes the advice at the end of a batch. */
import { waitAction } from '../../version.ts'
import { cancelledBefore, capitalised } from '../advice.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import type { BatchEnd } from './end.ts'
import type { ShownRun } from './runs.ts'

const maxPathLength = 300
/** The maximum number of words in an advice. People read a short advice to the end. */
const maxAdviceWords = 30

const lookForRuns =
  "Before a re-run, look in the service's dashboard for runs whose start got no clear answer. A re-run starts them again."
const lookForOthers = 'Look in the dashboard for runs without an id.'
const fixCredentials = 'Check api-token, api-key and authorization-scheme.'
const mayRepeatAll = 'A re-run may repeat all runs.'
const fetchOpen = `fetch each run in progress with ${waitAction}.`

export function batchHint(end: BatchEnd, show: Show): string {
  const { counts, conclusion } = end
  if (conclusion === 'cancelled' && counts.notStarted === counts.total) return cancelledBefore.hint
  const { needed, more } = adviceFor(end)
  return addWhatFits(needed, [...more, ...seedsAlone(end, show)])
}

/** Returns the needed sentences, and as many optional sentences as the maximum allows. */
function addWhatFits(needed: readonly string[], more: readonly string[]): string {
  let advice = needed.join(' ')
  for (const sentence of more) {
    const longer = `${advice} ${sentence}`
    if (longer.split(' ').length <= maxAdviceWords) advice = longer
  }
  return advice
}

/** Returns the sentences of the advice. `more` has optional sentences, the most important first. */
function adviceFor(end: BatchEnd): { needed: string[]; more: string[] } {
  const { counts, conclusion, runs } = end
  const unanswered = runs.filter(isUnansweredStart).length
  // The number of runs that may be running and have an execution id.
  const open = counts.unknown + counts.unfinished - unanswered
  const isComplete = counts.succeeded === counts.total
  const isKnown = isFound(end)
  // A re-run would not find the existing runs, and would start them a second time.
  if (!isKnown && (open > 0 || isComplete)) {
    const look = unanswered > 0 ? [lookForOthers] : []
    return { needed: [...fetchEach(end), ...look, mayRepeatAll], more: [] }
  }
  const cure = cureOf(end)
  const needed = cure === undefined ? [] : [cure]
  const isTooShort = conclusion === 'timed-out' && (cure === undefined || counts.failed > 0)
  const timeout = isTooShort ? ['Increase the input timeout.'] : []
  const orFetch = unanswered > 0 ? capitalised(fetchOpen) : `Or ${fetchOpen}`
  const more = open > 0 ? [orFetch] : []
  if (unanswered > 0) return { needed: [...needed, lookForRuns], more: [...timeout, ...more] }
  needed.push(...timeout)
  const rerun = `re-run this job: ${whatRerunDoes(end, open, isKnown)}.`
  if (conclusion === 'cancelled') {
    needed.push(`Unless a newer workflow run replaced this one, ${rerun}`)
  } else {
    needed.push(needed.length > 0 ? `Then ${rerun}` : capitalised(rerun))
  }
  return { needed, more }
}

/** Returns the sentences that say how to get the results without a re-run. */
function fetchEach({ stoppedBy }: BatchEnd): string[] {
  const fetch = `fetch each run with ${waitAction} and its execution id.`
  return areCredentialsBad(stoppedBy) ? [fixCredentials, `Then ${fetch}`] : [capitalised(fetch)]
}

function areCredentialsBad(stop: BatchEnd['stoppedBy']): boolean {
  return stop?.kind === 'credentials' && (stop.failure.status === 401 || stop.call === 'check')
}

/** Returns true if the service may have started the run, but the step got no execution id. */
function isUnansweredStart({ category, executionId }: ShownRun): boolean {
  return category === 'unknown' && executionId === undefined
}

/** Says what a re-run does. `isKnown` is true if a re-run finds the runs of this step. */
function whatRerunDoes(end: BatchEnd, open: number, isKnown: boolean): string {
  const { succeeded: kept, total } = end.counts
  if (kept === total) return 'it fetches the results again and starts nothing'
  if (kept + open === 0) return 'it starts all runs'
  if (!isKnown) return 'it may repeat all runs'
  if (open === 0) return 'it keeps successful runs and starts the rest'
  const isAll = kept + open === total
  if (kept === 0) {
    return isAll
      ? 'it takes over runs in progress'
      : 'it takes over runs in progress and starts the rest'
  }
  return isAll
    ? 'it keeps successful runs and takes over runs in progress'
    : 'it keeps successful runs, takes over runs in progress and starts the rest'
}

/**
 * Returns true if a re-run can read the record. After a 401, the credentials must change. A re-run
 * with other credentials cannot read the record.
 */
function isFound({ isOnRecord, stoppedBy }: BatchEnd): boolean {
  return isOnRecord && !(stoppedBy?.kind === 'credentials' && stoppedBy.failure.status === 401)
}

/** Returns what to do before a re-run. */
function cureOf(end: BatchEnd): string | undefined {
  const { conclusion, stoppedBy, counts, runs } = end
  if (conclusion === 'cancelled') return undefined
  const advice = runs.find((run) => run.advice !== undefined)?.advice
  if (advice !== undefined && counts.notStarted === counts.total) return advice
  if (stoppedBy?.kind === 'credentials') {
    return areCredentialsBad(stoppedBy)
      ? fixCredentials
      : 'Check project, automation and token permissions.'
  }
  if (runs.some(({ isDiskFull }) => isDiskFull)) return 'Free space before this step.'
  const isFailure = counts.failed > 0 || (counts.notStarted > 0 && conclusion !== 'timed-out')
  return isFailure ? 'Fix the cause.' : undefined
}

function seedsAlone(end: BatchEnd, show: Show): string[] {
  const { artifact, failedSeedsFile } = end
  if (failedSeedsFile === undefined) return []
  const file = artifact ? 'failed-seeds.jsonl of the artifact' : failedSeedsFile
  const path = inline(show(file), maxPathLength)
  const where = `: use ${path} as seeds-file.`
  const { failed, notStarted } = end.counts
  if (failed > 0 && notStarted > 0) {
    return [`Or start only the failed or unstarted seeds${where}`]
  }
  if (failed > 0) return [`Or start only the failed seeds${where}`]
  return notStarted > 0 ? [`Or start only the unstarted seeds${where}`] : []
}
