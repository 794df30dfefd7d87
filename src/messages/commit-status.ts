/**
 * What a commit status says of a run. Whoever may read the repository reads it, whatever `print-log`
 * says, so it is made of these words alone: nothing of log or result.
 */
import { conclusions, type Conclusion } from '../execution/conclusion.ts'
import type { Ending } from '../execution/ending.ts'
import type { Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'
import { describeElapsed } from './quantities.ts'

/** How a run stands: it goes on, as far as is known, or what following it came to. */
export interface StatusFacts {
  conclusion: Conclusion | 'running' | 'not-learned'
  /** Absent where the start may or may not have been accepted. */
  executionId?: string | undefined
  ending?: { kind: Ending['kind']; failure?: unknown } | undefined
  /** Milliseconds that its end was waited for. */
  duration?: number | undefined
  /** Of a success: its result was kept and could not be fetched, which fails the step. */
  isResultLost?: boolean
}

/** UTF-16 units; GitHub counts characters, which are not more. */
export const maxDescriptionLength = 140

// GitHub answers 422 to these: "description doesn't accept 4-byte Unicode".
const fourBytes = /[\u{10000}-\u{10ffff}]/gu

/** State and description. `show`: what people may see of a text (`Secrets.show`). */
export function describeStatus(facts: StatusFacts, show: Show) {
  const { executionId, conclusion } = facts
  const words = `${wordsOf(facts)}${waitOf(facts)}`
  const whole = executionId === undefined ? words : `${words} (execution ${show(executionId)})`
  const description = inline(whole.replace(fourBytes, '\ufffd'), maxDescriptionLength)
  const goesOn = conclusion === 'running' || conclusion === 'not-learned'
  const state = goesOn ? 'pending' : conclusions[conclusion].commitState
  return { state: isLost(facts) ? 'error' : state, description } as const
}

function isLost({ conclusion, isResultLost = false }: StatusFacts): boolean {
  return conclusion === 'success' && isResultLost
}

function wordsOf(facts: StatusFacts): string {
  const { conclusion, ending } = facts
  switch (conclusion) {
    case 'running':
      return 'Running'
    case 'not-learned':
      return 'Started; the service does not answer properly now'
    case 'success':
      return isLost(facts) ? 'Succeeded, but its result could not be fetched' : 'Succeeded'
    case 'error':
      return 'Failed'
    case 'container-error':
      return 'Its container died'
    case 'stopped':
      return 'Stopped from the dashboard'
    case 'invalid-result':
      return 'Returned an invalid result'
    case 'unknown':
      return `How it ends is not known: ${whyUnknown(ending?.kind)}`
    case 'timed-out':
      return ending?.kind === 'timed-out' && ending.failure
        ? 'No end was seen before the wait was over, since the service did not answer properly'
        : 'Still running when the wait was over; wait again for its verdict'
    case 'cancelled':
      return ending?.kind === 'finished'
        ? 'The wait was cancelled before the result was checked; wait again for its verdict'
        : 'The wait was cancelled, the run goes on; wait again for its verdict'
    case 'refused':
    case 'not-started':
      return 'Not started'
  }
}

/** Of a run that is over. How long it took is not known: another step started it. */
function waitOf({ conclusion, ending, duration }: StatusFacts): string {
  if (ending?.kind !== 'finished' || duration === undefined) return ''
  if (conclusion === 'cancelled') return ''
  return ` after a wait of ${describeElapsed(duration)}`
}

function whyUnknown(kind: Ending['kind'] | undefined): string {
  if (kind === 'refused') return 'the service refused the credentials'
  if (kind === 'rejected') return 'the service refused every check'
  if (kind === 'not-found') return 'the service knows no such execution'
  return 'it may or may not have started'
}

/** Why a status was not set: half a sentence, and a sentence of what to do. */
export interface StatusProblem {
  why: string
  hint: string
}

// Nothing was sent, since something for it is missing.
export const noRepository: StatusProblem = {
  why: 'GITHUB_REPOSITORY names no repository',
  hint: 'Leave commit-status out where the step does not run on GitHub.',
}
export const noToken: StatusProblem = {
  why: 'github-token is empty',
  hint: "Leave github-token out, so that it is the job's own, or check the name of the secret that it comes from.",
}
export const noAddress: StatusProblem = {
  why: 'GITHUB_API_URL is no https address (or has a password in it)',
  hint: 'The token is sent over https alone: leave commit-status out on this runner.',
}
export function describeNoCommit(event = 'of this workflow'): StatusProblem {
  const why = `commit-sha is empty, and the commit of the event ${event} need not be the one that the run is about`
  return { why, hint: 'Give commit-sha.' }
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
  const why = `GitHub answered ${status}${because}`
  if (!limited) return { why, hint: hintForRefusal(status, repository, apiUrl) }
  const hint = 'GitHub limits requests: set fewer statuses at a time.'
  return { why: `${why}, twice or for longer than this step waits`, hint }
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
      return status >= 500
        ? 'GitHub is in trouble; the outcome of this step stands.'
        : `Check that ${apiUrl} (GITHUB_API_URL) is GitHub's API.`
  }
}
