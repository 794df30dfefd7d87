/** Composes the failure of a step if the result or the outputs are missing. */
import { StoreStatusError, UnusableLinkError } from '../download/store.ts'
import { isDiskFull } from '../errors.ts'
import { lostResultOf, type End } from '../execution/report.ts'
import { isUnreached, refusesCredentials } from '../service/service-errors.ts'
import { capitalised, checkCredentials, type Remedies, takeUp } from './advice.ts'
import { because, type Failure } from './failure.ts'
import { diskFull } from './notice.ts'

/** An output of a batch that is missing, or whose file is missing, and the reason. */
export interface LostFile {
  output: string
  why: string
}

/** What is missing: the result of a successful run, or outputs. */
export type Loss =
  | { title: 'result-not-fetched'; why: string; failure?: unknown }
  | { title: 'outputs-not-written'; why: string }

/** Returns the missing result of a successful run, if its result was kept. */
export function lossIn(end: End): Loss | undefined {
  const lost = lostResultOf(end)
  return lost && { title: 'result-not-fetched', why: lost.why, failure: lost.failure }
}

export function failureOfLoss(loss: Loss, remedies: Remedies): Failure {
  const { title } = loss
  switch (title) {
    case 'result-not-fetched':
      return {
        title,
        happened: isDiskFull(loss.failure)
          ? `${diskFull.why} The run succeeded, but its result could not be written${because(loss.why)}.`
          : `The run succeeded and its result was kept, but the result could not be downloaded${unreachedWords(loss.failure)}${because(loss.why)}.`,
        next: fetchAgain(loss.failure, remedies),
      }
    case 'outputs-not-written':
      return {
        title,
        happened: `Not all outputs of this step could be written${because(loss.why)}.`,
        next: `${onceWritable(loss.why)} ${takeUp(remedies)}`,
      }
  }
}

/** Returns the advice to make room for outputs, as the beginning of a sentence. */
export function onceWritable(why: string): string {
  return why.includes('(ENOSPC)') ? `${diskFull.cure}; then` : 'When the file can be written,'
}

function unreachedWords(failure: unknown): string {
  return isUnreached(failure) ? ', because this runner cannot reach the store of results' : ''
}

/** Returns the advice after a failed download. `failure` is the error behind the failure. */
function fetchAgain(failure: unknown, remedies: Remedies): string {
  const again = takeUp(remedies)
  if (refusesCredentials(failure)) return checkCredentials(remedies)
  if (isGone(failure)) {
    return 'The store no longer has this result, and another try finds nothing. If you need it, run the workflow anew: a re-run of this job does not start the automation again.'
  }
  if (isDiskFull(failure)) return `${diskFull.cure}; then ${again}`
  if (failure instanceof UnusableLinkError) {
    return `Report the link to the provider of the service. After a fix, ${again}`
  }
  if (isUnreached(failure) && failure.host) {
    return `Check that this runner can reach ${failure.host} (firewall, proxy), then ${again}`
  }
  return capitalised(again)
}

/** Returns true if the store no longer has a file. */
function isGone(failure: unknown): boolean {
  return failure instanceof StoreStatusError && [404, 410].includes(failure.status)
}
