/** Why a commit status was not set, and what to write where. It changes no verdict. */
import { describeElapsed } from './quantities.ts'

export type StatusProblem =
  /** Nothing was sent, since something for it is missing. */
  | { kind: 'no-commit'; event: string }
  | { kind: 'no-token' }
  | { kind: 'no-repository' }
  /** GITHUB_API_URL is none that a token may be sent to. */
  | { kind: 'no-address' }
  /** GitHub answered and did not set it; `words` are its own. */
  | { kind: 'refused'; status: number; words: string }
  | { kind: 'limited'; status: number; words: string }
  /** No answer came. */
  | { kind: 'unreached'; why: string }
  | { kind: 'late'; limit: number }

export interface StatusPlace {
  /** `owner/name`. */
  repository: string
  apiUrl: string
}

/** A half sentence of why, and a sentence of what to do. Both may hold words of others. */
export function explainStatusProblem(
  problem: StatusProblem,
  place: StatusPlace,
): { why: string; hint: string } {
  return { why: whyNotSet(problem), hint: hintFor(problem, place) }
}

function whyNotSet(problem: StatusProblem): string {
  switch (problem.kind) {
    case 'no-commit':
      return `commit-sha is empty, and the commit of the event ${problem.event} need not be the one that the run is about`
    case 'no-token':
      return 'github-token is empty'
    case 'no-repository':
      return 'GITHUB_REPOSITORY names no repository'
    case 'no-address':
      return 'GITHUB_API_URL is no https address (or has a password in it)'
    case 'refused':
      return answered(problem)
    case 'limited':
      return `${answered(problem)}, twice or for longer than this step waits`
    case 'unreached':
      return `no answer came from GitHub (${problem.why})`
    case 'late':
      return `GitHub gave no answer within ${describeElapsed(problem.limit)}`
  }
}

function hintFor(problem: StatusProblem, place: StatusPlace): string {
  switch (problem.kind) {
    case 'no-commit':
      return 'Give commit-sha.'
    case 'no-token':
      return "Leave github-token out, so that it is the job's own, or check the name of the secret that it comes from."
    case 'no-repository':
      return 'Leave commit-status out where the step does not run on GitHub.'
    case 'no-address':
      return 'The token is sent over https alone: leave commit-status out on this runner.'
    case 'refused':
      return hintForRefusal(problem, place)
    case 'limited':
      return 'GitHub limits requests: set fewer statuses at a time.'
    case 'unreached':
    case 'late':
      return `Check that the runner can reach ${place.apiUrl} (name, port, certificate, proxy).`
  }
}

function answered({ status, words }: { status: number; words: string }): string {
  return `GitHub answered ${String(status)}${words ? ` (${words})` : ''}`
}

function hintForRefusal(
  { status }: { status: number },
  { repository, apiUrl }: StatusPlace,
): string {
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
