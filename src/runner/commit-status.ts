/**
 * A commit status on its way: sent by GitHub's own client, within a bound, and sent again once where
 * that may help.
 */
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

/** What a request came to. */
export interface StatusAnswer {
  /** Undefined where no answer came. */
  status: number | undefined
  /** Why the status was not set, in untrusted words; empty where GitHub gave none in JSON. */
  words: string
  /** Whether GitHub refuses for too many requests. */
  limited: boolean
}

// Milliseconds: with both tries and the pause between them, 10 s in all.
const maxTryTime = 4_500
const pauseBeforeSecondTry = 1_000
/** The runner leaves 7.5 s after a cancellation, in which the step must end too. */
const maxTimeAfterCancellation = 2_000

/** One request. Rejects where no answer came. */
export type PostStatus = (status: CommitStatus, signal: AbortSignal) => Promise<StatusAnswer>

/** Loads GitHub's client, at run time: no bundle of an action holds any of it. */
export async function loadGithub(
  { bundleFolder }: Pick<Step, 'bundleFolder'>,
  { token, apiUrl: baseUrl, userAgent }: GithubAccess,
): Promise<PostStatus> {
  // The client reads the event's file while it is loaded, whatever that is. Nothing here asks for it.
  process.env['GITHUB_EVENT_PATH'] = ''
  const file = path.join(bundleFolder, '..', 'commit-status', 'index.js')
  const bundle: unknown = await import(/* webpackIgnore: true */ pathToFileURL(file).href)
  const client = bundle as { getOctokit: typeof getOctokit }
  const octokit = client.getOctokit(token, { baseUrl, userAgent, log: silent })
  return async (status, signal) => {
    // A redirect would take the token along, or turn the request into another one.
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

// Octokit would print the deprecation of a route, in words of the answer.
const nothing = () => undefined
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** The error that Octokit makes of an answer; one of the network has no response. */
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
  // Text is what stands before GitHub's API answers with: a web page. Octokit puts the address of
  // the documentation behind GitHub's words.
  const words = typeof data === 'object' ? message.replace(/ - https?:\S+$/, '') : ''
  return { status, words, limited }
}

/** undici says "Request was cancelled." of a proxy that refuses, and why in the cause of that. */
function firstCauseOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? firstCauseOf(error.cause) : error
}

/** Sends it again once where no answer came or GitHub is in trouble. Never rejects. */
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
