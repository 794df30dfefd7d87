/** One commit status, from how a run stands to what GitHub made of it. Loaded only when asked for. */
import { describeStatus, type StatusFacts } from '../messages/commit-status.ts'
import { explainStatusProblem, type StatusProblem } from '../messages/commit-status-problem.ts'
import { loadGithubClient } from '../runner/commit-status/load-client.ts'
import {
  sendStatus,
  statusLimits,
  type StatusOutcome,
} from '../runner/commit-status/send-status.ts'
import type { CommitStatusInputs } from '../runner/inputs/commit-status.ts'
import type { Environment } from '../runner/inputs/environment.ts'
import type { Step } from '../runner/step.ts'
import { workflowRunOf } from '../runner/workflow-run.ts'
import { isSecure } from '../service/addresses.ts'
import { proxyFor } from '../service/proxy.ts'
import { version } from '../version.ts'

type Given = NonNullable<CommitStatusInputs>

/** Tells what came of it. @throws Error where GitHub's client cannot be used at all. */
export async function putCommitStatus(
  given: Given,
  action: string,
  facts: StatusFacts,
  step: Step,
  load = loadGithubClient,
): Promise<void> {
  const { environment, secrets, log, cancelled } = step
  const { GITHUB_REPOSITORY: repository = '' } = environment
  const { GITHUB_API_URL = 'https://api.github.com' } = environment
  // Routes are put behind it.
  const apiUrl = GITHUB_API_URL.replace(/\/+$/, '')
  const context = secrets.words(given.context)
  const warn = (problem: StatusProblem) => {
    const told = explainStatusProblem(problem, { repository, apiUrl })
    log.note('commit-status-not-set', { context, ...told })
  }
  const target = targetOf(given, apiUrl, environment)
  if ('kind' in target) {
    warn(target)
    return
  }

  // Says what is wrong with a proxy's variable without its value, which may hold a password.
  proxyFor(new URL(apiUrl))
  const { postStatus } = await load(step)
  const { url } = workflowRunOf(environment)
  const status = {
    owner: target.owner,
    repo: target.repo,
    sha: target.sha,
    context,
    ...describeStatus(facts, secrets.show),
    ...(url !== undefined && { target_url: url }),
  }
  const access = { token: target.token, apiUrl, userAgent: `run-automation/${version} (${action})` }
  const outcome = await sendStatus((signal) => postStatus(status, access, signal), step)
  const problem = problemOf(outcome, cancelled, secrets.words)
  if (problem) warn(problem)
  else log.info(`Commit status ${context} of ${target.sha.slice(0, 7)}: ${status.state}`)
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
  { aborted }: AbortSignal,
  words: (text: string) => string,
): StatusProblem | undefined {
  switch (outcome.kind) {
    case 'late':
      return { kind: 'late', limit: aborted ? statusLimits.afterCancellation : statusLimits.inAll }
    case 'unreached':
      return { kind: 'unreached', why: words(outcome.why) }
    case 'answered': {
      const { status, limited } = outcome.answer
      if (status === 201) return undefined
      // What stands before GitHub answers 5xx with a web page.
      const said = status < 500 ? words(outcome.answer.words) : ''
      return { kind: limited ? 'limited' : 'refused', status, words: said }
    }
  }
}
