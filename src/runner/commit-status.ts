/** Sends a commit status with GitHub's own client, within a time limit. */
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import type { getOctokit } from '@actions/github'
import { Deadline, DelayedSignal, orAbort } from '../clock.ts'
import { messageOf } from '../errors.ts'
import type { Step } from './step.ts'

export interface CommitStatus {
  owner: string
  repo: string
  sha: string
  state: 'pending' | 'success' | 'failure' | 'error'
  context: string
  description: string
  target_url?: string
}

export interface GithubAccess {
  token: string
  apiUrl: string
  userAgent: string
}

export interface StatusAnswer {
  /** Undefined if no response came. */
  status: number | undefined
  /** Why the status was not set, in untrusted words. Empty if GitHub gave no reason. */
  words: string
  /** True if GitHub refused because of too many requests. */
  limited: boolean
}

// Milliseconds. Both tries and the pause between them take at most 10 s.
export const maxTryTime = 4_500
export const pauseBeforeSecondTry = 1_000
/** After a cancellation, the runner gives the whole step 7.5 s. Milliseconds. */
const maxTimeAfterCancellation = 2_000

/** Sends one request. Rejects if no response came. */
export type PostStatus = (status: CommitStatus, signal: AbortSignal) => Promise<StatusAnswer>

/** Loads GitHub's client at run time. It is in a bundle of its own. */
export async function loadGithub(
  { bundleFolder }: Pick<Step, 'bundleFolder'>,
  { token, apiUrl: baseUrl, userAgent }: GithubAccess,
): Promise<PostStatus> {
  // While it is loaded, the client reads the file of the event. The file may be anything, and
  // nothing here needs it.
  process.env['GITHUB_EVENT_PATH'] = ''
  const file = path.join(bundleFolder, '..', 'commit-status', 'index.js')
  const bundle: unknown = await import(/* webpackIgnore: true */ pathToFileURL(file).href)
  const client = bundle as { getOctokit: typeof getOctokit }
  const octokit = client.getOctokit(token, { baseUrl, userAgent, log: silent })
  return async (status, signal) => {
    // A redirect would forward the token or change the method of the request.
    const request = { signal, redirect: 'manual' as const, log: silent }
    try {
      const answer = await octokit.rest.repos.createCommitStatus({ ...status, request })
      return { status: answer.status, words: '', limited: false }
    } catch (error) {
      if (isRefusal(error)) return answerOf(error)
      throw error
    }
  }
}

// Octokit prints a warning about deprecated routes with words from the response.
const nothing = () => undefined
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** The error that Octokit makes from a response. A network error has no response. */
interface Refusal extends Error {
  status: number
  response: { headers: Record<string, string | undefined>; data: unknown }
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'response' in error && error.response !== undefined
}

function answerOf({ status, message, response: { headers, data } }: Refusal): StatusAnswer {
  const isLimit =
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /\brate limit\b/i.test(message)
  const limited = status === 429 || (status === 403 && isLimit)
  // A response that is not JSON comes from a proxy or gateway, not from GitHub's API. Octokit
  // appends the address of the documentation to GitHub's words.
  const words = typeof data === 'object' ? message.replace(/ - https?:\S+$/, '') : ''
  return { status, words, limited }
}

/** Returns the innermost cause. If a proxy refuses, only that cause of undici's has the reason. */
function firstCauseOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? firstCauseOf(error.cause) : error
}

/** Sends the status. Sends it once more if no response came, or after a 5xx. Never rejects. */
export async function sendStatus(
  post: (signal: AbortSignal) => Promise<StatusAnswer>,
  { clock, cancelled }: Pick<Step, 'clock' | 'cancelled'>,
): Promise<StatusAnswer> {
  using hurried = new DelayedSignal(cancelled, maxTimeAfterCancellation, clock)
  const tryOnce = async (): Promise<StatusAnswer> => {
    using deadline = new Deadline(clock, maxTryTime, hurried.signal)
    try {
      return await orAbort(post(deadline.signal), deadline.signal)
    } catch (error) {
      return { status: undefined, words: messageOf(firstCauseOf(error)), limited: false }
    }
  }
  const first = await tryOnce()
  if (first.status !== undefined && first.status < 500) return first
  await clock.sleep(pauseBeforeSecondTry, hurried.signal).catch(() => undefined)
  return hurried.signal.aborted ? first : await tryOnce()
}
