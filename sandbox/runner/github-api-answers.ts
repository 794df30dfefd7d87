/** What GitHub's REST API answers, in its own words as far as clients look at them. */
import type { DescribedRoute, GithubRoute } from './github-api-description.ts'
import { inJson, type Reply } from './reply.ts'

const limited =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'
const refusals = {
  'bad-credentials': [401, 'Bad credentials'],
  'no-permission': [403, 'Resource not accessible by integration'],
  'not-found': [404, 'Not Found'],
  refused: [422, 'Validation Failed'],
  'server-error': [500, 'Server Error'],
  'secondary-limit-403': [403, limited],
  'secondary-limit-429': [429, limited],
} as const

/** What goes wrong: how, on which route (default: each), how many times (default: every time). */
export interface GithubApiFault {
  /** With `hang` the request is taken and the answer never comes. */
  fault: keyof typeof refusals | 'hang'
  on?: GithubRoute
  times?: number
  /** Seconds, of a secondary rate limit. Default 60. */
  retryAfter?: number
}

/** Undefined where it never answers. */
export function faultyAnswer({ fault, retryAfter = 60 }: GithubApiFault): Reply | undefined {
  if (fault === 'hang') return undefined
  const [status, message] = refusals[fault]
  const reply = refusal(
    status,
    message,
    fault === 'refused' ? ['the stand-in was told to refuse'] : [],
  )
  if (message !== limited) return reply
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } }
}

export function refusal(status: number, message: string, errors: readonly string[] = []): Reply {
  const documentation_url = 'https://docs.github.com/rest'
  const list = errors.length > 0 && { errors: errors.map((text) => ({ message: text })) }
  return inJson(status, { message, ...list, documentation_url, status: String(status) })
}

/** The answer to a request that is in order. */
export function acceptedAnswer(described: DescribedRoute, body: string, url: string): Reply {
  if (described.route === 'dispatch') return { status: 204, headers: {}, body: '' }
  const { owner, repo, sha } = described.parameters
  const { state, ...given } = JSON.parse(body) as Record<string, unknown>
  return inJson(201, {
    url: `${url}/repos/${String(owner)}/${String(repo)}/statuses/${String(sha)}`,
    id: 1,
    state,
    target_url: null,
    description: null,
    context: 'default',
    ...given,
  })
}
