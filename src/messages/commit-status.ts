/**
 * What a commit status says of a run. Whoever may read the repository reads it, whatever `print-log`
 * says, so it is made of these words alone: nothing of log or result.
 */
import { type Conclusion, factsOf } from '../execution/conclusion.ts'
import { capitalised } from './advice.ts'
import type { Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'
import { describeElapsed } from './quantities.ts'

/** How a run stands: it goes on, as far as is known, or what following it came to. */
export interface StatusFacts {
  conclusion: Conclusion | 'running' | 'not-learned'
  /** Absent where the start may or may not have been accepted. */
  executionId?: string | undefined
  /** Milliseconds that its end was waited for. */
  duration?: number | undefined
  /** What fails the step after a success: a result that was kept, or a copy that was asked for. */
  missing?: 'result' | 'copy' | undefined
}

/** UTF-16 units; GitHub counts characters, which are not more. */
const maxDescriptionLength = 140

// GitHub answers 422 to these: "description doesn't accept 4-byte Unicode".
const fourBytes = /[\u{10000}-\u{10ffff}]/gu

/** State and description. `show`: what people may see of a text (`Secrets.show`). */
export function describeStatus(facts: StatusFacts, show: Show) {
  const { state, words } = standingOf(facts)
  const id = facts.executionId === undefined ? '' : ` (execution ${show(facts.executionId)})`
  const whole = `${words}${id}`.replace(fourBytes, '\ufffd')
  return { state, description: inline(whole, maxDescriptionLength) }
}

function standingOf({ conclusion, duration, missing }: StatusFacts) {
  if (conclusion === 'running') return { state: 'pending', words: 'Running' } as const
  if (conclusion === 'not-learned') {
    const words = 'Started; the service does not answer properly now'
    return { state: 'pending', words } as const
  }
  const { commitState, verb, isSeen } = factsOf(conclusion)
  if (commitState === 'pending') {
    const words = 'The wait ended before the verdict was known; wait again for it'
    return { state: commitState, words }
  }
  // How long it took is not known: another step started it.
  const wait = duration === undefined ? '' : ` after a wait of ${describeElapsed(duration)}`
  const words = `${capitalised(verb)}${isSeen ? wait : ''}`
  return conclusion === 'success' && missing !== undefined
    ? ({ state: 'error', words: `${words}, but ${missingWords[missing]}` } as const)
    : { state: commitState, words }
}

const missingWords = {
  result: 'its result could not be fetched',
  copy: 'a copy that was asked for is missing',
}

/** Why a status was not set: half a sentence, and a sentence of what to do. */
export interface StatusProblem {
  why: string
  hint: string
}

// Nothing was sent, since something for it is missing.
export const noToken: StatusProblem = {
  why: 'github-token is empty',
  hint: "Leave github-token out, so that it is the job's own.",
}
export const noAddress: StatusProblem = {
  why: 'GITHUB_API_URL is no https address (or has a password in it)',
  hint: 'The token is sent over https alone: leave commit-status out on this runner.',
}
export function describeNoCommit(event = 'of this workflow'): StatusProblem {
  const why = `commit-sha is empty, and the commit of the event ${event} need not be the one that the run is about`
  return { why, hint: 'Give commit-sha.' }
}

export const cancelledBeforeAnswer: StatusProblem = {
  why: 'the step was cancelled before GitHub had answered',
  hint: 'The outcome of this step stands.',
}

/** `words` are GitHub's own, or say why no answer came; `repository` is `owner/name`. */
export function explainRefusal(
  { status, words, limited }: { status: number | undefined; words: string; limited: boolean },
  repository: string,
  apiUrl: string,
): StatusProblem {
  const because = words === '' ? '' : ` (${words})`
  if (status === undefined) {
    const hint = `Check that the runner can reach ${apiUrl} (name, port, certificate, proxy).`
    return { why: `no answer came from GitHub${because}`, hint }
  }
  const hint =
    limited || status >= 500
      ? 'GitHub limits requests, or is in trouble; the outcome of this step stands.'
      : hintForRefusal(status, repository, apiUrl)
  return { why: `GitHub answered ${status}${because}`, hint }
}

function hintForRefusal(status: number, repository: string, apiUrl: string): string {
  switch (status) {
    case 401:
      return "Leave github-token out, so that it is the job's own, or give one that has not expired."
    case 403:
    case 404:
      return `The token may not write commit statuses of ${repository}: write "statuses: write" under "permissions:" of this job. In a pull request from a fork the job's own token stays read-only whatever is written: set the status from a workflow on workflow_run there.`
    case 422:
      return `Check that commit-sha is a commit of ${repository}, and commit-status.`
    default:
      return `Check that ${apiUrl} (GITHUB_API_URL) is GitHub's API.`
  }
}
