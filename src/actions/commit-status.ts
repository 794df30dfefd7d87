/** Sets a commit status that shows the state of a run, if the input `commit-status` is set. */
import { messageOf } from '../errors.ts'
import type { Advice } from '../messages/advice.ts'
import {
  cancelledBeforeAnswer,
  describeNoCommit,
  describeStatus,
  explainRefusal,
  noAddress,
  noToken,
  type StatusFacts,
} from '../messages/commit-status.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { sendStatus } from '../runner/commit-status.ts'
import type { CommitStatusInputs } from '../runner/inputs/commit-status.ts'
import type { Step } from '../runner/step.ts'
import { workflowRunOf, type Environment } from '../runner/environment.ts'
import { isSecure } from '../service/addresses.ts'
import { proxyFor } from '../service/proxy.ts'
import { version } from '../version.ts'
import type { Connections } from './connect.ts'

/** Whether GitHub set the status, refused the request, or gave no usable answer. */
type Shown = { kind: 'set' } | { kind: 'refused' | 'unanswered'; problem: Advice }

interface Place {
  given: CommitStatusInputs
  /** The name of the action in the User-Agent header. */
  action: 'run' | 'start' | 'wait'
  connections: Pick<Connections, 'loadGithub'>
  step: Step
}

/** Sets one commit status. Never rejects. A failure causes a warning and does not fail the step. */
export async function setCommitStatus(
  given: CommitStatusInputs,
  action: Place['action'],
  facts: StatusFacts,
  connections: Place['connections'],
  step: Step,
): Promise<void> {
  const shown = await show(facts, { given, action, connections, step })
  if (shown.kind !== 'set') warn(shown.problem, { given, step })
}

/** Sets the commit status to `pending` when a run starts, and to the final state at the end. */
export class RunStatus {
  readonly #place: Place
  #pending: Promise<Shown> | undefined

  constructor(place: Place) {
    this.#place = place
  }

  /** Sets the status `pending` when the first execution starts. Does nothing for a retry. */
  running(executionId: string): void {
    this.#pending ??= show({ conclusion: 'running', executionId }, this.#place)
  }

  /** Waits until `pending` was sent, then sets the final status. Writes at most one warning. */
  async ended(facts: StatusFacts): Promise<void> {
    const before = await this.#pending
    // If GitHub refused the status `pending`, it would also refuse the final status. After any
    // failure, a cancelled step has no time for a second status.
    const isLast = before?.kind === 'refused' || this.#place.step.cancelled.aborted
    const shown =
      before && before.kind !== 'set' && isLast ? before : await show(facts, this.#place)
    if (shown.kind !== 'set') warn(shown.problem, this.#place)
  }
}

/** Returns true if the result was kept and could not be fetched. */
export function isResultLost(
  { files }: Pick<ExecutionReport, 'files'>,
  { cancelled }: Pick<Step, 'cancelled'>,
): boolean {
  // A cancelled step had no time to fetch its result, so the result does not count as lost.
  return !cancelled.aborted && files?.result.kind === 'unavailable'
}

function warn(problem: Advice, { given, step }: Pick<Place, 'given' | 'step'>): void {
  const context = step.secrets.words(given?.context ?? '')
  step.log.note('commit-status-not-set', { context, ...problem })
}

async function show(
  facts: StatusFacts,
  { given, action, connections: { loadGithub }, step }: Place,
): Promise<Shown> {
  if (!given) return { kind: 'set' }
  const { environment, secrets, log } = step
  const { GITHUB_API_URL = 'https://api.github.com' } = environment
  const apiUrl = GITHUB_API_URL.replace(/\/+$/, '')
  const context = secrets.words(given.context)
  const target = targetOf(given, apiUrl, environment)
  if ('why' in target) return { kind: 'refused', problem: target }

  const { token, ...place } = target
  const { url } = workflowRunOf(environment)
  const described = describeStatus(facts, secrets.show)
  const status = { ...place, context, ...described, ...(url !== undefined && { target_url: url }) }
  try {
    // Checks the proxy here, because the error of this check does not contain the proxy's password.
    proxyFor(new URL(apiUrl))
    const userAgent = `run-automation/${version} (${action})`
    const post = await loadGithub(step, { token, apiUrl, userAgent })
    const answer = await sendStatus((signal) => post(status, signal), step)
    if (answer.status === 201) {
      log.info(`Commit status ${context} of ${status.sha.slice(0, 7)}: ${status.state}`)
      return { kind: 'set' }
    }
    if (answer.status === undefined && step.cancelled.aborted) {
      return { kind: 'unanswered', problem: cancelledBeforeAnswer }
    }
    const words = secrets.words(answer.words)
    const problem = explainRefusal({ ...answer, words }, `${place.owner}/${place.repo}`, apiUrl)
    const isRefused = answer.status !== undefined && answer.status < 500
    return { kind: isRefused ? 'refused' : 'unanswered', problem }
  } catch (error) {
    const why = secrets.words(messageOf(error))
    return { kind: 'refused', problem: { why, hint: 'The outcome of this step does not change.' } }
  }
}

interface Target {
  owner: string
  repo: string
  sha: string
  token: string
}

/** Returns the commit and the token for the status, or the reason why no status can be set. */
function targetOf(
  { sha, token }: NonNullable<CommitStatusInputs>,
  apiUrl: string,
  environment: Environment,
): Target | Advice {
  const [owner = '', repo = ''] = (environment['GITHUB_REPOSITORY'] ?? '').split('/')
  if (sha === undefined) return describeNoCommit(environment['GITHUB_EVENT_NAME'])
  if (token === undefined) return noToken
  const address = URL.parse(apiUrl)
  if (!address || !isSecure(address) || address.username || address.password) return noAddress
  return { owner, repo, sha, token }
}
