/** What GitHub's REST API answers, in its own words as far as clients look at them. */
import { inJson, type Reply } from './reply.ts'
import type { DescribedRoute, GithubRoute } from './github-api-description.ts'

/** What goes wrong: how, on which route (default: each), how many times (default: every time). */
export interface GithubApiFault {
  fault:
    | 'bad-credentials'
    | 'no-permission'
    | 'not-found'
    | 'refused'
    | 'server-error'
    | 'secondary-limit-403'
    | 'secondary-limit-429'
    /** The request is taken, the answer never comes. */
    | 'hang'
  on?: GithubRoute
  times?: number
  /** Seconds, of a secondary rate limit. Default 60. */
  retryAfter?: number
}

export class GithubApiFaults {
  readonly #faults: { fault: GithubApiFault; left: number }[] = []

  inject(fault: GithubApiFault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity })
  }

  /** The next fault for this route, used up once more. */
  take(route: GithubRoute): GithubApiFault | undefined {
    const found = this.#faults.find(({ fault, left }) => left > 0 && (fault.on ?? route) === route)
    if (found) found.left -= 1
    return found?.fault
  }
}

/** Undefined where it never answers. */
export function faultyAnswer({ fault, retryAfter = 60 }: GithubApiFault): Reply | undefined {
  switch (fault) {
    case 'bad-credentials':
      return refusal(401, 'Bad credentials')
    case 'no-permission':
      return refusal(403, 'Resource not accessible by integration')
    case 'not-found':
      return refusal(404, 'Not Found')
    case 'refused':
      return refusal(422, 'Validation Failed', ['the stand-in was told to refuse'])
    case 'server-error':
      return refusal(500, 'Server Error')
    case 'secondary-limit-403':
      return limited(403, retryAfter)
    case 'secondary-limit-429':
      return limited(429, retryAfter)
    case 'hang':
      return undefined
  }
}

export function refusal(status: number, message: string, errors: readonly string[] = []): Reply {
  const documentation_url = 'https://docs.github.com/rest'
  const list = errors.length > 0 && { errors: errors.map((text) => ({ message: text })) }
  return inJson(status, { message, ...list, documentation_url, status: String(status) })
}

function limited(status: 403 | 429, retryAfter: number): Reply {
  const message =
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'
  const reply = refusal(status, message)
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } }
}

/** The answer to a request that is in order. */
export function acceptedAnswer(described: DescribedRoute, body: string, url: string): Reply {
  if (described.route === 'dispatch') return { status: 204, headers: {}, body: '' }
  const { owner, repo, sha } = described.parameters
  const address = `${url}/repos/${String(owner)}/${String(repo)}/statuses/${String(sha)}`
  const { headers, ...reply } = inJson(201, statusRecord(body, address))
  return { ...reply, headers: { ...headers, location: address } }
}

function statusRecord(body: string, url: string): Record<string, unknown> {
  const {
    state,
    target_url = null,
    description = null,
    context = 'default',
  } = JSON.parse(body) as Record<string, unknown>
  const at = new Date().toISOString()
  return {
    ...{ url, avatar_url: null, id: 1, node_id: 'SC_1', state, description, target_url, context },
    ...{ created_at: at, updated_at: at, creator: null },
  }
}
