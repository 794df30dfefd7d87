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
  /** The HTTP status code. Undefined if no response arrived. */
  status: number | undefined
  /** The untrusted reason why the commit status was not set. Empty if no reason is known. */
  words: string
  /** True if GitHub refused the request because of a rate limit, or asks for a pause. */
  limited: boolean
}

// The limit of each try, in milliseconds. Two tries and the pause take at most 10 s.
export const maxTryTime = 4_500
export const pauseBeforeSecondTry = 1_000
/**
 * How long a commit status may take after a cancellation, in milliseconds. The runner sends SIGTERM
 * 7.5 s after the cancellation.
 */
const maxTimeAfterCancellation = 2_000

/** Sends one request with a commit status. Rejects if no response arrives. */
export type PostStatus = (status: CommitStatus, signal: AbortSignal) => Promise<StatusAnswer>

/** Loads GitHub's client from a separate bundle. Returns a function that sends a commit status. */
export async function loadGithub(
  { bundleFolder }: Pick<Step, 'bundleFolder'>,
  { token, apiUrl: baseUrl, userAgent }: GithubAccess,
): Promise<PostStatus> {
  // GitHub's client reads the event file as soon as the client is loaded. The step does not need
  // this file, and the file may contain anything. So the path of the file is emptied first.
  process.env['GITHUB_EVENT_PATH'] = ''
  const file = path.join(bundleFolder, '..', 'commit-status', 'index.js')
  const bundle: unknown = await import(/* webpackIgnore: true */ pathToFileURL(file).href)
  const client = bundle as { getOctokit: typeof getOctokit }
  const octokit = client.getOctokit(token, { baseUrl, userAgent, log: silent })
  return async (status, signal) => {
    // Redirects are not followed, because they could forward the token or change the method.
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

// A logger that prints nothing, because Octokit's warnings about deprecated routes contain text
// from the response.
const nothing = () => undefined
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** The error that Octokit throws for an error response. A network error has no response. */
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
  const asksForPause = status >= 500 && headers['retry-after'] !== undefined
  const limited = status === 429 || (status === 403 && isLimit) || asksForPause
  // A response that is not JSON comes from a proxy or gateway, so its message is not used. Octokit
  // appends the documentation URL to GitHub's message, so the URL is removed.
  const words = typeof data === 'object' ? message.replace(/ - https?:\S+$/, '') : ''
  return { status, words, limited }
}

/** Returns the innermost cause. Only this cause says why a proxy refuses a connection. */
function firstCauseOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? firstCauseOf(error.cause) : error
}

/**
 * Sends the commit status. If no response arrives, or after a 5xx response without `Retry-After`,
 * sends the commit status once more. Never rejects.
 */
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
  if (first.limited || (first.status !== undefined && first.status < 500)) return first
  await clock.sleep(pauseBeforeSecondTry, hurried.signal).catch(() => undefined)
  return hurried.signal.aborted ? first : await tryOnce()
}
