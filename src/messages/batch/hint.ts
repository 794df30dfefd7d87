/** What to do next after a batch that fails its step. */
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import { waitAction } from '../../version.ts'
import type { BatchSurvey } from './survey.ts'
import type { BatchEnd } from './verdict.ts'

/** Where people find more. */
export interface BatchPlace {
  artifactUrl: string | undefined
  /** The path of the output `failed-seeds-file`. */
  failedSeedsFile: string | undefined
}

// An annotation has room for 4,096 characters in all.
const longestPath = 300

export function batchHint(
  { conclusion, stop, counts }: BatchEnd,
  { failing }: Pick<BatchSurvey, 'failing'>,
  { artifactUrl, failedSeedsFile }: BatchPlace,
  show: Show,
): string {
  const again =
    'run this job again: it keeps what succeeded, takes over what still runs and starts the rest'
  if (conclusion === 'cancelled') {
    return `When you want the rest, ${again}. Or fetch each with ${waitAction} and its execution id (results-file).`
  }
  if (stop?.kind === 'credentials-refused') {
    return `Check api-token, api-key, authorization-scheme, project and automation, then ${again}.`
  }
  if (counts.failed > 0 || counts.notStarted > 0) {
    const file = artifactUrl === undefined ? failedSeedsFile : 'failed-seeds.jsonl in the artifact'
    const seeds =
      file === undefined
        ? ''
        : ` Or start these seeds alone: ${inline(show(file), longestPath)} is the seeds-file for them.`
    // Where nothing failed, only time was missing, and there is nothing to correct.
    const isLate = counts.failed === 0 && conclusion === 'timed-out'
    return `${isLate ? 'Raise the input timeout, or' : 'Correct what caused the failures, then'} ${again}.${seeds}`
  }
  if (failing.unknown > 0) {
    return "Look for new runs in the service's dashboard, or at the receiver of the webhook, before you start these seeds again."
  }
  if (failing.unfinished === 0) {
    return 'Run this job again: it fetches the missing results, and starts none of these runs anew.'
  }
  return `Raise the input timeout, or ${again}.`
}
