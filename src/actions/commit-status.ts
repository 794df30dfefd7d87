/** Shows the state of a run at its commit, if the input `commit-status` is given. */
import { Deadline, DelayedSignal, orAbort } from '../clock.ts'
import { messageOf } from '../errors.ts'
import {
  describeMissingCommit,
  describeStatus,
  type StatusFacts,
} from '../messages/commit-status.ts'
import { noAnswerWithin } from '../messages/quantities.ts'
import { inline } from '../messages/text/untrusted-text.ts'
import { workflowRunOf } from '../runner/environment.ts'
import type { StartInputs } from '../runner/inputs/read.ts'
import type { Step } from '../runner/step.ts'
import { isSecure } from '../service/addresses.ts'
import type { Connections } from './connect.ts'

/** How long the request may take, in milliseconds. */
export const maxStatusTime = 10_000
/**
 * How long the request may take after a cancellation, in milliseconds. The runner sends SIGTERM 7.5 s
 * after the cancellation.
 */
const maxTimeAfterCancellation = 2_000

// The maximum lengths in UTF-16 units. GitHub's limit for a description is 140 characters.
const maxContextLength = 500
const maxDescriptionLength = 140

/** Sets the commit status. Never rejects. A failure is a warning and changes no verdict. */
export async function setCommitStatus(
  { commitStatus: given, jobId }: Pick<StartInputs, 'commitStatus' | 'jobId'>,
  facts: StatusFacts,
  { postStatus }: Pick<Connections, 'postStatus'>,
  step: Step,
): Promise<void> {
  const { clock, cancelled, environment, log, secrets } = step
  const { state, description } = describeStatus(facts)
  // The status `none` is for a run that does not exist.
  if (given.commitStatus === undefined || state === 'none') return
  const context = inline(secrets.show(given.commitStatus), maxContextLength)
  using hurried = new DelayedSignal(cancelled, maxTimeAfterCancellation, clock)
  const why = noAnswerWithin(maxStatusTime)
  using deadline = new Deadline(clock, maxStatusTime, hurried.signal, why)
  try {
    const { commitSha: sha, githubToken: token } = given
    if (sha === undefined) throw new Error(describeMissingCommit(environment['GITHUB_EVENT_NAME']))
    if (token === undefined) throw new Error('github-token is empty')
    const { GITHUB_API_URL: apiUrl = 'https://api.github.com' } = environment
    const address = URL.parse(apiUrl)
    if (!address || !isSecure(address)) throw new Error('GITHUB_API_URL is not an https address')
    const { repository, url } = workflowRunOf(environment, jobId)
    const [owner = '', repo = ''] = repository.split('/')
    const status = {
      owner,
      repo,
      sha,
      context,
      state,
      description: inline(secrets.show(description), maxDescriptionLength),
      ...(url && { target_url: url }),
    }
    const sent = postStatus(status, { token, apiUrl }, deadline.signal, step)
    await orAbort(sent, deadline.signal)
    log.info(`Commit status ${context} of ${sha.slice(0, 7)}: ${state}`)
  } catch (error) {
    log.note('commit-status-not-set', { context, why: messageOf(error) })
  }
}
