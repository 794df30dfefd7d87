/** What to do after a batch; each sentence names only what there is. */
import type { BatchCounts } from '../../execution/batch/tally.ts'
import { waitAction } from '../../version.ts'
import { cancelledBefore, capitalised } from '../advice.ts'
import { describeCount } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import type { BatchStop } from './stop.ts'
import type { BatchSurvey } from './survey.ts'

/** What the words for a batch's end are made from. */
export interface BatchEnd {
  automation: string
  counts: BatchCounts
  conclusion: 'success' | 'failure' | 'timed-out' | 'cancelled'
  /** Why no more runs were started, where that was for a run. */
  stop: BatchStop | undefined
  /** Runs of an earlier attempt of whose state nothing was learned in time. */
  unreached: number
  /** Whether a re-run of the job finds all executions of these runs, for certain. */
  isOnRecord: boolean
}

/** Where people find more. */
export interface BatchPlace {
  artifactUrl: string | undefined
  /** The outputs of these names; undefined where the file could not be written. */
  resultsFile: string | undefined
  failedSeedsFile: string | undefined
}

type Unanswered = Pick<BatchSurvey, 'unansweredStarts'>

const maxPathLength = 300
const byItsId = `with ${waitAction} and its execution id`
const lookForRuns =
  "Before you re-run this job, look in the service's dashboard, or at the receiver of the webhook, for runs of the seeds whose start got no answer: a re-run starts them again."

export function batchHint(
  end: BatchEnd,
  survey: Unanswered,
  place: BatchPlace,
  show: Show,
): string {
  const { counts, conclusion, unreached } = end
  const isCutShort = unreached > 0 && conclusion !== 'cancelled'
  return [
    ...(survey.unansweredStarts > 0 ? [lookForRuns] : []),
    ...(isCutShort ? [increaseFor(unreached)] : []),
    ...(conclusion === 'cancelled'
      ? afterCancellation(end, survey)
      : [...afterEnd(end, survey, isCutShort), ...seedsAlone(counts, place, show)]),
  ].join(' ')
}

function afterCancellation(end: BatchEnd, survey: Unanswered): string[] {
  const { total, notStarted } = end.counts
  if (notStarted === total) return [cancelledBefore.hint]
  const isOpen = mayGoOn(end.counts, survey)
  const rerun = `re-run this job, unless a newer workflow run replaced this one: ${rerunDoes(end, survey)}.`
  if (!isOpen) return [capitalised(rerun)]
  // The sentence before is about runs that have none.
  const fetch =
    survey.unansweredStarts > 0
      ? `When those that have an execution id are over, fetch each with ${waitAction}.`
      : `When they are over, fetch each ${byItsId}.`
  return isKnown(end) ? [fetch, `Or ${rerun}`] : [fetch]
}

function afterEnd(end: BatchEnd, survey: Unanswered, isCutShort: boolean): string[] {
  const { notStarted, unknown, unfinished, succeeded, total } = end.counts
  const cure = cureOf(end)
  const isOpen = mayGoOn(end.counts, survey)
  // A re-run would start these a second time.
  if (!isKnown(end) && (isOpen || succeeded === total)) {
    const fetch = isOpen
      ? `fetch each run that may go on ${byItsId}.`
      : `fetch each of them ${byItsId}: a re-run of this job starts all runs again.`
    return [cure === undefined ? capitalised(fetch) : `${cure}, and ${fetch}`]
  }
  const rerun = `re-run this job: ${rerunDoes(end, survey)}.`
  if (cure !== undefined) return [`${cure}, then ${rerun}`]
  if (notStarted + unfinished > 0) {
    return [isCutShort ? `Then ${rerun}` : `Increase the timeout input, or ${rerun}`]
  }
  if (unknown > survey.unansweredStarts) return [capitalised(rerun), `Or fetch each ${byItsId}.`]
  if (unknown > 0) return []
  return ['Re-run this job: it fetches the missing results, and starts none of these runs anew.']
}

function cureOf({ conclusion, stop, counts }: BatchEnd): string | undefined {
  if (stop?.kind === 'credentials-refused') {
    return stop.status === 401
      ? 'Check api-token, api-key and authorization-scheme'
      : 'Check what api-token and api-key may do, project and automation'
  }
  const isFailure = counts.failed > 0 || (counts.notStarted > 0 && conclusion !== 'timed-out')
  return isFailure ? 'Fix what caused the failures' : undefined
}

/** A record can be read with the credentials alone that it was written with. */
function isKnown({ isOnRecord, stop }: BatchEnd): boolean {
  return isOnRecord && !(stop?.kind === 'credentials-refused' && stop.status === 401)
}

function mayGoOn({ unknown, unfinished }: BatchCounts, { unansweredStarts }: Unanswered): boolean {
  return unknown + unfinished > unansweredStarts
}

function rerunDoes(end: BatchEnd, survey: Unanswered): string {
  const { succeeded, failed, notStarted } = end.counts
  const isOpen = mayGoOn(end.counts, survey)
  if (succeeded === 0 && !isOpen) return 'it starts them'
  if (!isKnown(end)) return 'it starts all runs again'
  const parts = [
    ...(succeeded > 0 ? ['keeps what succeeded'] : []),
    ...(isOpen ? ['takes over what still runs'] : []),
    ...(failed + notStarted + survey.unansweredStarts > 0 ? ['starts the rest'] : []),
  ]
  return `it ${parts.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`
}

/** Each costs a status check: a re-run with the same timeout may not get further. */
function increaseFor(unreached: number): string {
  const runs = describeCount(unreached, 'run')
  return `Increase the timeout input: it ran out before the service had said how ${runs} of an earlier attempt ended (10,000 take half an hour).`
}

function seedsAlone(
  { failed, notStarted }: BatchCounts,
  { artifactUrl, failedSeedsFile }: BatchPlace,
  show: Show,
): string[] {
  if (failedSeedsFile === undefined || failed + notStarted === 0) return []
  const file = artifactUrl === undefined ? failedSeedsFile : 'failed-seeds.jsonl in the artifact'
  const which = [...(failed > 0 ? ['failed'] : []), ...(notStarted > 0 ? ['were not started'] : [])]
  const path = inline(show(file), maxPathLength)
  return [`Or start those that ${which.join(' or ')} alone: ${path} is the seeds-file for them.`]
}
