/** GitHub's own client of its REST API: the entry of a bundle that is loaded only when it is needed. */
import { getOctokit } from '@actions/github'
import { defaults } from '@actions/github/lib/utils'

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

/** What GitHub answered, whichever it is. */
export interface StatusAnswer {
  status: number
  /** Why it refuses, in its own, untrusted words; empty where the status was set. */
  words: string
  retryAfter: string | undefined
  /** Whether it refuses for too many requests. */
  limited: boolean
}

/**
 * Sends one request; the signal ends it.
 *
 * @throws Error where no answer came.
 */
export async function postStatus(
  status: CommitStatus,
  { token, apiUrl: baseUrl, userAgent }: GithubAccess,
  signal: AbortSignal,
): Promise<StatusAnswer> {
  // A redirect would take the token along, or turn the request into another one.
  const request = { fetch: fetchBounded, log: silent, redirect: 'manual' as const, signal }
  const octokit = getOctokit(token, { baseUrl, userAgent, log: silent, request })
  try {
    const { status: code } = await octokit.rest.repos.createCommitStatus({ ...status })
    return { status: code, words: '', retryAfter: undefined, limited: false }
  } catch (error) {
    if (isRefusal(error)) return answerOf(error)
    throw error
  }
}

// Octokit would print the deprecation of a route, in words of the answer.
const nothing = () => undefined
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** The error that Octokit makes of an answer; one of the network has no response. */
interface Refusal extends Error {
  status: number
  response: { headers: Record<string, string | undefined> }
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'response' in error && error.response !== undefined
}

function answerOf({ status, message, response: { headers } }: Refusal): StatusAnswer {
  const retryAfter = headers['retry-after']
  const isLimit =
    retryAfter !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /\brate limit\b/i.test(message)
  const limited = status === 429 || (status === 403 && isLimit)
  // Octokit puts the address of the documentation behind GitHub's words.
  return { status, words: message.replace(/ - https?:\S+$/, ''), retryAfter, limited }
}

// Bytes. An answer has some two thousand.
const longestAnswer = 64 * 1024

/** Octokit's own way through proxies, without the rest of an answer that is too long. */
async function fetchBounded(...request: Parameters<typeof fetch>): Promise<Response> {
  const send = defaults.request?.fetch as typeof fetch
  const { status, headers, body } = await send(...request)
  const start = body && (await readStart(body))
  return new Response(start?.length ? start : null, { status, headers })
}

async function readStart(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= longestAnswer) break
  }
  return Uint8Array.from(Buffer.concat(chunks).subarray(0, longestAnswer))
}
