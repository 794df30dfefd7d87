/** Shows on a commit how a run stands, where that is asked for. */
import { messageOf } from '../errors.ts'
import {
  describeStatus,
  type StatusFacts,
  explainStatusProblem,
  type StatusProblem,
} from '../messages/commit-status.ts'
import {
  loadGithub,
  sendStatus,
  statusLimits,
  type GithubAccess,
  type PostStatus,
  type StatusOutcome,
} from '../runner/commit-status.ts'
import type { CommitStatusInputs } from '../runner/inputs/commit-status.ts'
import type { Environment } from '../runner/inputs/environment.ts'
import type { Step } from '../runner/step.ts'
import { workflowRunOf } from '../runner/workflow-run.ts'
import { isSecure } from '../service/addresses.ts'
import { proxyFor } from '../service/proxy.ts'
import { version } from '../version.ts'

type Given = NonNullable<CommitStatusInputs>

/**
 * Never rejects: what goes wrong is a warning, and changes no verdict. `action`: for the
 * User-Agent. `load`: GitHub's client.
 */
export async function setCommitStatus(
  given: CommitStatusInputs,
  action: 'start' | 'wait',
  facts: StatusFacts,
  step: Step,
  load: (step: Step, access: GithubAccess) => Promise<PostStatus> = loadGithub,
): Promise<void> {
  if (!given) return
  const { environment, secrets, log } = step
  const { GITHUB_REPOSITORY: repository = '' } = environment
  const { GITHUB_API_URL = 'https://api.github.com' } = environment
  // Routes are put behind it.
  const apiUrl = GITHUB_API_URL.replace(/\/+$/, '')
  const context = secrets.words(given.context)
  const warn = (why: string, hint: string) => {
    log.note('commit-status-not-set', { context, why, hint })
  }
  const warnOf = (problem: StatusProblem) => {
    const { why, hint } = explainStatusProblem(problem, { repository, apiUrl })
    warn(why, hint)
  }
  const target = targetOf(given, apiUrl, environment)
  if ('kind' in target) {
    warnOf(target)
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
    const post = await load(step, { token, apiUrl, userAgent })
    const outcome = await sendStatus((signal) => post(status, signal), step)
    const problem = problemOf(outcome, step)
    if (problem) warnOf(problem)
    else log.info(`Commit status ${context} of ${status.sha.slice(0, 7)}: ${status.state}`)
  } catch (error) {
    warn(secrets.words(messageOf(error)), 'The outcome of this step stands.')
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
  { sha, token }: Given,
  apiUrl: string,
  environment: Environment,
): Target | StatusProblem {
  const [owner = '', repo = ''] = environment['GITHUB_REPOSITORY']?.split('/') ?? []
  if (!owner || !repo) return { kind: 'no-repository' }
  if (sha === undefined) {
    return { kind: 'no-commit', event: environment['GITHUB_EVENT_NAME'] ?? 'of this workflow' }
  }
  if (token === undefined) return { kind: 'no-token' }
  const address = URL.parse(apiUrl)
  if (!address || !isSecure(address) || address.username || address.password) {
    return { kind: 'no-address' }
  }
  return { owner, repo, sha, token }
}

/** Undefined where the status was set. */
function problemOf(
  outcome: StatusOutcome,
  { cancelled, secrets }: Step,
): StatusProblem | undefined {
  switch (outcome.kind) {
    case 'late': {
      const { afterCancellation, inAll } = statusLimits
      return { kind: 'late', limit: cancelled.aborted ? afterCancellation : inAll }
    }
    case 'unreached':
      return { kind: 'unreached', why: secrets.words(outcome.why) }
    case 'answered': {
      const { status, words, limited } = outcome.answer
      if (status === 201) return undefined
      return { kind: limited ? 'limited' : 'refused', status, words: secrets.words(words) }
    }
  }
}
