/** Sends a commit status with GitHub's own client. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { getOctokit } from '@actions/github'
import { messageOf } from '../errors.ts'
import type { Step } from './step.ts'

interface CommitStatus {
  owner: string
  repo: string
  sha: string
  state: 'pending' | 'success' | 'failure' | 'error'
  context: string
  description: string
  /** The link of the status. */
  target_url?: string
}

interface GithubAccess {
  token: string
  apiUrl: string
}

/** Sends one request. Rejects with GitHub's words if GitHub did not set the status. */
export type PostStatus = (
  status: CommitStatus,
  access: GithubAccess,
  signal: AbortSignal,
  step: Pick<Step, 'bundles'>,
) => Promise<void>

/** Returns a function that loads GitHub's client from its own bundle, and sends a commit status. */
export function postStatusAs(userAgent: string): PostStatus {
  return async (status, { token, apiUrl: baseUrl }, signal, { bundles }) => {
    const file = path.join(bundles, 'commit-status', 'index.js')
    const bundle: unknown = await import(/* webpackIgnore: true */ pathToFileURL(file).href)
    const client = bundle as { getOctokit: typeof getOctokit }
    const { repos } = client.getOctokit(token, { baseUrl, userAgent }).rest
    const answer = await repos
      .createCommitStatus({ ...status, request: { signal } })
      .catch((error: unknown) => {
        throw new Error(wordsOf(error), { cause: error })
      })
    // A proxy may answer with a web page and the status 200.
    if ((answer.status as number) !== 201) throw new Error(`GitHub answered ${answer.status}`)
  }
}

function wordsOf(error: unknown): string {
  // A failed connection has a status too, but no response.
  const isAnswer =
    error instanceof Error && 'status' in error && 'response' in error && error.response
  return isAnswer ? `GitHub answered ${String(error.status)} (${error.message})` : messageOf(error)
}
