/** Reads and sends commit statuses with GitHub's own client. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { getOctokit } from '@actions/github'
import { codeOf, messageOf } from '../errors.ts'
import { parseRetryAfter } from '../service/backoff.ts'
import { HttpError, NetworkError } from '../service/service-errors.ts'
import { finalCodes } from '../service/http-request.ts'
import type { Step } from './step.ts'

export interface CommitStatus {
  owner: string
  repo: string
  sha: string
  state: 'pending' | 'success' | 'failure' | 'error'
  context: string
  description: string
  /** The link of the status. */
  target_url?: string
}

export interface CurrentStatus {
  state: string
  description: string | null
}

/** Both calls reject with an `HttpError` or a `NetworkError`. */
export interface CommitStatuses {
  /** Returns the newest status of the same context at the same commit, or undefined. */
  newest(like: CommitStatus, signal: AbortSignal): Promise<CurrentStatus | undefined>
  send(status: CommitStatus, signal: AbortSignal): Promise<void>
}

export type OpenStatuses = (
  access: { token: string; apiUrl: string },
  step: Pick<Step, 'bundles' | 'clock'>,
) => Promise<CommitStatuses>

// GitHub's maximum number of contexts in one answer.
const pageSize = 100

/** Returns a function that loads GitHub's client from its own bundle. */
export function openStatusesAs(userAgent: string): OpenStatuses {
  return async ({ token, apiUrl: baseUrl }, { bundles, clock }) => {
    const file = path.join(bundles, 'commit-status', 'index.js')
    const bundle: unknown = await import(/* webpackIgnore: true */ pathToFileURL(file).href)
    const client = bundle as { getOctokit: typeof getOctokit }
    const { repos } = client.getOctokit(token, { baseUrl, userAgent }).rest
    const answered = async <Given extends GithubResponse>(sent: Promise<Given>): Promise<Given> => {
      const response = await sent.catch((error: unknown) => {
        throw failureOf(error, clock.date())
      })
      // A proxy may answer with a web page and the status 200.
      if (response.status === 200 && isPage(response)) throw failureOf({ response }, clock.date())
      return response
    }
    return {
      async newest({ owner, repo, sha, context }, signal) {
        const place = { owner, repo, ref: sha, per_page: pageSize, request: { signal } }
        for (let page = 1; ; page++) {
          const { data } = await answered(repos.getCombinedStatusForRef({ ...place, page }))
          // GitHub ignores the case of a context.
          const name = context.toLowerCase()
          const found = data.statuses.find((status) => status.context.toLowerCase() === name)
          if (found || data.statuses.length < pageSize) return found
        }
      },
      async send(status, signal) {
        await answered(repos.createCommitStatus({ ...status, request: { signal } }))
      },
    }
  }
}

interface GithubResponse {
  data: unknown
  status: number
  headers: Record<string, string | number | undefined>
}

/** Returns the failure behind an error of GitHub's client. */
function failureOf(error: unknown, now: Date): HttpError | NetworkError {
  // A failed connection has a status too, but no response.
  const { response, message = '' } = error as { response?: GithubResponse; message?: string }
  if (response) {
    const { status, headers } = response
    const [asked, date] = [headers['retry-after']?.toString(), headers['date']?.toString()]
    const retryAfter = parseRetryAfter({ 'retry-after': asked, date }, now.getTime())
    const isWebPage = isPage(response)
    return new HttpError({ status, words: message, retryAfter, isWebPage })
  }
  const cause = rootOf(error)
  const why = messageOf(cause).replace(/^Proxy response \((\d+)\).*/, 'the proxy answered $1')
  const isFinal = why.startsWith('the proxy answered 4') || finalCodes.has(codeOf(cause) ?? '')
  return new NetworkError(why, { mayHaveArrived: true, isFinal, cause: error })
}

/** GitHub's client parses JSON, and passes on any other body as a text. */
const isPage = ({ data }: GithubResponse) => typeof data === 'string'

/** Returns the innermost cause. The outer errors of a failed request only say that it failed. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error
}
