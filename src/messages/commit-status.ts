/**
 * Describes a run for a commit status. Everybody who can read the repository can read the status.
 * Therefore, the description quotes neither the log nor the result of the run.
 */
import { type Conclusion, factsOf } from '../execution/conclusion.ts'
import { capitalised, type Advice } from './advice.ts'
import type { Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'
import { describeElapsed } from './quantities.ts'

export interface StatusFacts {
  conclusion: Conclusion | 'running' | 'not-learned'
  /** The execution id. Undefined if the step does not know an execution. */
  executionId?: string | undefined
  /** How long the step waited for the end of the run, in milliseconds. */
  duration?: number | undefined
  /** True if the result of a successful run was kept and could not be fetched. */
  isResultLost?: boolean
}

/** The maximum length in UTF-16 units. GitHub's limit is 140 characters. */
const maxDescriptionLength = 140

// GitHub answers 422 to these characters: "description doesn't accept 4-byte Unicode".
const fourBytes = /[\u{10000}-\u{10ffff}]/gu

/** Returns the state and the description of the commit status. `show` redacts a text. */
export function describeStatus(facts: StatusFacts, show: Show) {
  const { state, words } = standingOf(facts)
  const id = facts.executionId === undefined ? '' : ` (execution ${show(facts.executionId)})`
  const whole = `${words}${id}`.replace(fourBytes, '\ufffd')
  return { state, description: inline(whole, maxDescriptionLength) }
}

function standingOf({ conclusion, duration, isResultLost = false }: StatusFacts) {
  if (conclusion === 'running') return { state: 'pending', words: 'Running' } as const
  if (conclusion === 'not-learned') {
    const words = 'Started, but the service does not answer properly now'
    return { state: 'pending', words } as const
  }
  const { commitState, verb, isSeen } = factsOf(conclusion)
  if (commitState === 'pending') {
    const words = 'The step stopped waiting before the end was known. Wait again for the outcome'
    return { state: commitState, words }
  }
  // The duration is not known if another step started the run.
  const wait = duration === undefined ? '' : ` after a wait of ${describeElapsed(duration)}`
  const words = `${capitalised(verb)}${isSeen ? wait : ''}`
  return conclusion === 'success' && isResultLost
    ? ({ state: 'error', words: `${words}, but its result could not be fetched` } as const)
    : { state: commitState, words }
}

// The reasons why no request for a commit status was sent to GitHub.
export const noToken: Advice = {
  why: 'github-token is empty',
  hint: "Leave github-token out to use the job's own token.",
}
export const noAddress: Advice = {
  why: 'GITHUB_API_URL is not an https address, or contains a password',
  hint: 'The token is sent only over https. Leave commit-status out on this runner.',
}
export function describeNoCommit(event = 'of this workflow'): Advice {
  const why = `commit-sha is empty, and the commit of the event ${event} may not be the commit that the run is about`
  return { why, hint: 'Give commit-sha.' }
}

export const cancelledBeforeAnswer: Advice = {
  why: 'the step was cancelled before GitHub had answered',
  hint: 'The outcome of this step does not change.',
}

/** Explains why GitHub set no commit status. `words` come from GitHub or a network error. */
export function explainRefusal(
  { status, words, limited }: { status: number | undefined; words: string; limited: boolean },
  repository: string,
  apiUrl: string,
): Advice {
  const because = words === '' ? '' : ` (${words})`
  if (status === undefined) {
    const hint = `Check that the runner can reach ${apiUrl} (name, port, certificate, proxy).`
    return { why: `no answer arrived from GitHub${because}`, hint }
  }
  const hint =
    limited || status >= 500
      ? 'GitHub limits requests or has a problem. The outcome of this step does not change.'
      : hintForRefusal(status, repository, apiUrl)
  return { why: `GitHub answered ${status}${because}`, hint }
}

function hintForRefusal(status: number, repository: string, apiUrl: string): string {
  switch (status) {
    case 401:
      return "Leave github-token out to use the job's own token, or give a token that has not expired."
    case 403:
    case 404:
      return `The token cannot write commit statuses of ${repository}. Write "statuses: write" under "permissions:" of this job. In a pull request from a fork, use a workflow on workflow_run.`
    case 422:
      return `Check commit-status, and that commit-sha is a commit of ${repository}.`
    default:
      return `Check that ${apiUrl} (GITHUB_API_URL) is GitHub's API.`
  }
}
