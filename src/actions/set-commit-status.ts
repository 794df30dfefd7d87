/** Shows the state of a run at its commit, if the input `commit-status` is given. */
import { Deadline, DelayedSignal, orAbort, TimeUp } from '../clock.ts'
import {
  describeMissing,
  describeNotSet,
  describeStatus,
  isRateLimit,
  whyNotSet,
  type StatusFacts,
} from '../messages/describe-commit-status.ts'
import { describeElapsed, noAnswerWithin } from '../messages/quantities.ts'
import { inline } from '../messages/text/untrusted-text.ts'
import type { CommitStatus, CurrentStatus } from '../runner/commit-status.ts'
import { workflowRunOf } from '../runner/environment.ts'
import type { StatusInputs } from '../runner/inputs/action-inputs.ts'
import type { Step } from '../runner/step.ts'
import { isSecure } from '../service/addresses.ts'
import { growingPause } from '../service/backoff.ts'
import { HttpError, NetworkError } from '../service/service-errors.ts'
import type { Connections } from './connections.ts'

/** How long the status may be sent again, in milliseconds. */
export const maxStatusTime = 30_000
/** How long one try may take, in milliseconds. */
export const maxStatusTry = 10_000
/**
 * How long the status may be sent again after a cancellation, in milliseconds. The runner sends
 * SIGTERM 7.5 s after the cancellation.
 */
const maxTimeAfterCancellation = 2_000
// The pauses between two tries, in milliseconds. They grow from the first to the second value.
const firstStatusPause = 1_000
const maxStatusPause = 8_000

// The maximum lengths in UTF-16 units. GitHub's limit for a description is 140 characters.
const maxContextLength = 500
const maxDescriptionLength = 140

/** Sets the commit status. Never rejects. A failure is a warning and changes no verdict. */
export async function setCommitStatus(
  { commitStatus: given, jobId }: StatusInputs,
  facts: StatusFacts,
  { openStatuses }: Pick<Connections, 'openStatuses'>,
  step: Step,
): Promise<void> {
  const { environment, log, secrets } = step
  const { state, description } = describeStatus(facts)
  if (given.context === undefined || state === 'none') return
  const context = inline(secrets.show(given.context), maxContextLength)
  const warn = (why: string) => log.note('commit-status-not-set', { context, why })
  const { commitSha: sha, githubToken: token } = given
  const { GITHUB_API_URL: apiUrl = 'https://api.github.com', GITHUB_EVENT_NAME: event } =
    environment
  const address = URL.parse(apiUrl)
  if (sha === undefined || token === undefined || !address || !isSecure(address)) {
    warn(describeMissing(given, event))
    return
  }
  const { repository, url } = workflowRunOf(environment, jobId)
  const [owner = '', repo = ''] = repository.split('/')
  const status: CommitStatus = {
    owner,
    repo,
    sha,
    context,
    state,
    description: inline(secrets.show(description), maxDescriptionLength),
    ...(url && { target_url: url }),
  }
  try {
    const send = async (tries: number, signal: AbortSignal) => {
      const statuses = await openStatuses({ token, apiUrl }, step)
      // Before `pending` is sent again, a step beside this one may have set the verdict of the run.
      const isSentLate = facts.isTakenOver === true || (state === 'pending' && tries > 1)
      const mayYield = state === 'error' || isSentLate
      const current = mayYield ? await statuses.newest(status, signal) : undefined
      if (current && mustStay(current, status, facts)) return `${current.state} stays`
      await statuses.send(status, signal)
      return state
    }
    log.info(`Commit status ${context} of ${sha.slice(0, 7)}: ${await sendAgain(send, step)}`)
  } catch (error) {
    warn(describeNotSet(error))
  }
}

/** Returns true if the current status is a verdict, and the new status says less about the run. */
function mustStay(
  current: CurrentStatus,
  { state }: CommitStatus,
  { executionId = '' }: StatusFacts,
): boolean {
  if (current.state !== 'success' && current.state !== 'failure') return false
  // A run that was started now replaces the verdict of an earlier run.
  return state === 'error' || current.description?.includes(executionId) === true
}

/** Repeats `send` while another try may help. Rejects with the failure of the last try. */
async function sendAgain(
  send: (tries: number, signal: AbortSignal) => Promise<string>,
  { clock, cancelled, log, random }: Step,
): Promise<string> {
  using hurried = new DelayedSignal(cancelled, maxTimeAfterCancellation, clock)
  using whole = new Deadline(clock, maxStatusTime, hurried.signal, noAnswerWithin(maxStatusTime))
  for (let tries = 1; ; tries++) {
    using one = new Deadline(clock, maxStatusTry, whole.signal, noAnswerWithin(maxStatusTry))
    try {
      return await orAbort(send(tries, one.signal), one.signal)
    } catch (failure) {
      if (whole.signal.aborted || !mayPass(failure)) throw failure
      const retryAfter = failure instanceof HttpError ? (failure.retryAfter ?? 0) : 0
      const grown = growingPause(firstStatusPause, tries, maxStatusPause, random)
      const pause = Math.max(grown, retryAfter)
      if (pause >= whole.remaining()) throw failure
      log.info(`${whyNotSet(failure)}. The status is sent again in ${describeElapsed(pause)}.`)
      await clock.sleep(pause, whole.signal).catch(() => Promise.reject(failure as Error))
    }
  }
}

/** Returns true if another try may set the status. */
function mayPass(failure: unknown): boolean {
  if (failure instanceof HttpError) return failure.status >= 500 || isRateLimit(failure)
  return failure instanceof TimeUp || (failure instanceof NetworkError && !failure.isFinal)
}
