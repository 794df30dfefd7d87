/** Shows on a commit how a run stands, where that is asked for. */
import { messageOf } from '../errors.ts'
import {
  cancelledBeforeAnswer,
  describeNoCommit,
  describeStatus,
  explainRefusal,
  noAddress,
  noToken,
  type StatusFacts,
  type StatusProblem,
} from '../messages/commit-status.ts'
import { sendStatus } from '../runner/commit-status.ts'
import type { CommitStatusInputs } from '../runner/inputs/commit-status.ts'
import type { Environment } from '../runner/inputs/environment.ts'
import type { Step } from '../runner/step.ts'
import { workflowRunOf } from '../runner/workflow-run.ts'
import { isSecure } from '../service/addresses.ts'
import { proxyFor } from '../service/proxy.ts'
import { version } from '../version.ts'
import type { Connections } from './connect.ts'

/**
 * Never rejects: what goes wrong is a warning, and changes no verdict. `action`: for the
 * User-Agent.
 */
export async function setCommitStatus(
  given: CommitStatusInputs,
  action: 'start' | 'wait',
  facts: StatusFacts,
  { loadGithub }: Pick<Connections, 'loadGithub'>,
  step: Step,
): Promise<void> {
  if (!given) return
  const { environment, secrets, log } = step
  const { GITHUB_API_URL = 'https://api.github.com' } = environment
  // Routes are put behind it.
  const apiUrl = GITHUB_API_URL.replace(/\/+$/, '')
  const context = secrets.words(given.context)
  const warn = (problem: StatusProblem) => {
    log.note('commit-status-not-set', { context, ...problem })
  }
  const target = targetOf(given, apiUrl, environment)
  if ('why' in target) {
    warn(target)
    return
  }

  const { token, ...place } = target
  const { url } = workflowRunOf(environment)
  const described = describeStatus(facts, secrets.show)
  const status = { ...place, context, ...described, ...(url !== undefined && { target_url: url }) }
  try {
    // Says what is wrong with a proxy's variable without its value, which may hold a password.
    proxyFor(new URL(apiUrl))
    const userAgent = `run-automation/${version} (${action})`
    const post = await loadGithub(step, { token, apiUrl, userAgent })
    const answer = await sendStatus((signal) => post(status, signal), step)
    if (answer.status === 201) {
      log.info(`Commit status ${context} of ${status.sha.slice(0, 7)}: ${status.state}`)
      return
    }
    if (answer.status === undefined && step.cancelled.aborted) {
      warn(cancelledBeforeAnswer)
      return
    }
    const words = secrets.words(answer.words)
    warn(explainRefusal({ ...answer, words }, `${place.owner}/${place.repo}`, apiUrl))
  } catch (error) {
    const why = secrets.words(messageOf(error))
    warn({ why, hint: 'The outcome of this step stands.' })
  }
}

interface Target {
  owner: string
  repo: string
  sha: string
  token: string
}

/** Where the status goes, or what is missing for that. */
function targetOf(
  { sha, token }: NonNullable<CommitStatusInputs>,
  apiUrl: string,
  environment: Environment,
): Target | StatusProblem {
  const [owner = '', repo = ''] = (environment['GITHUB_REPOSITORY'] ?? '').split('/')
  if (sha === undefined) return describeNoCommit(environment['GITHUB_EVENT_NAME'])
  if (token === undefined) return noToken
  const address = URL.parse(apiUrl)
  if (!address || !isSecure(address) || address.username || address.password) return noAddress
  return { owner, repo, sha, token }
}
