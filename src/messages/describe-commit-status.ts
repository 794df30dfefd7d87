/**
 * Describes a run for a commit status, and says why a status was not set. Everybody who can read the
 * repository can read the status. Therefore, the description quotes neither the log nor the result.
 */
import { type Conclusion, factsOf } from '../execution/conclusion.ts'
import { messageOf } from '../errors.ts'
import { HttpError, NetworkError } from '../service/service-errors.ts'
import { capitalised } from './advice.ts'

export interface StatusFacts {
  /** Undefined if this step does not wait for the end of the run. */
  conclusion: Conclusion | undefined
  /** The execution id. Undefined if the step does not know an execution. */
  executionId?: string | undefined
  /** True if an earlier attempt started the execution. A `wait` may have set its verdict since then. */
  isTakenOver?: boolean
  /** True if the result of a successful run was kept, but could not be fetched. */
  isResultLost?: boolean
}

/** Returns the state and the description of the commit status. */
export function describeStatus({ conclusion, executionId, isResultLost = false }: StatusFacts) {
  const id = executionId === undefined ? '' : ` (execution ${executionId})`
  if (conclusion === undefined) return { state: 'pending', description: `Started${id}` } as const
  const { commitState, verb } = factsOf(conclusion)
  const lost = isResultLost ? ', but its result could not be fetched' : ''
  const state = isResultLost ? 'error' : commitState
  return { state, description: `${capitalised(verb)}${lost}${id}` } as const
}

/** Says why no status can be sent: the commit or the token is missing, or the address is not https. */
export function describeMissing(
  { commitSha, githubToken }: { commitSha: string | undefined; githubToken: string | undefined },
  event = 'of this workflow',
): string {
  if (commitSha === undefined) {
    return `commit-sha is empty, and the event ${event} may be about another commit than this run. Give the whole SHA of the commit.`
  }
  return githubToken === undefined
    ? 'github-token is empty. Leave github-token out, or give a token: an empty text replaces the default.'
    : 'GITHUB_API_URL is not an https address. Fix this variable: the token is sent only over https.'
}

/** Says why GitHub did not set the status, and what to do. */
export function describeNotSet(failure: unknown): string {
  return `${whyNotSet(failure)}. ${adviceFor(failure)}`
}

export function whyNotSet(failure: unknown): string {
  if (!(failure instanceof HttpError)) return messageOf(failure)
  const { status, isWebPage, words } = failure
  return `GitHub answered ${status}${isWebPage ? ' with a web page' : words && ` (${words})`}`
}

/** Returns true if GitHub asks to send fewer requests. Some of these answers have the status 403. */
export function isRateLimit({ status, retryAfter, words }: HttpError): boolean {
  const asks = retryAfter !== undefined || /\brate limit/i.test(words)
  return status === 429 || (status === 403 && asks)
}

const later = 'The next step that waits for this run with commit-status sets it.'

function adviceFor(failure: unknown): string {
  if (failure instanceof NetworkError) {
    return `Check that this runner can reach GitHub's API (firewall, https_proxy, no_proxy). ${later}`
  }
  // GitHub did not answer in time, or the step was cancelled.
  if (!(failure instanceof HttpError)) return later
  const { status, words, isWebPage } = failure
  if (isRateLimit(failure))
    return `Give github-token a token with a rate limit of its own. ${later}`
  if (status >= 500) return `GitHub has a problem (githubstatus.com). ${later}`
  if (words.includes('maximum number of statuses')) return fullContext
  return (isWebPage ? undefined : adviceByStatus[status]) ?? notGithub
}

const fullContext =
  'Give another commit-status: GitHub takes 1,000 statuses of one context at a commit.'
const permission =
  'It needs "statuses: write" under "permissions:" of this job. In a pull request from a fork, the token stays read-only.'
const notGithub = 'Check GITHUB_API_URL, and whether a proxy or a firewall answers for GitHub.'

const adviceByStatus: Readonly<Record<number, string>> = {
  401: 'Leave github-token out, or give a token that has not expired.',
  403: permission,
  404: permission,
  422: 'Check commit-sha: it must be the whole SHA of a commit of this repository.',
}
