import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { jsonAnswer, noContent, textAnswer, type Answer } from '../http/answer.ts'
import { deliver, send, type Delivery } from '../http/delivery.ts'
import { openLoopbackServer, type LoopbackServer } from '../http/loopback-server.ts'
import { PendingFaults } from '../http/pending-faults.ts'

export type GithubRoute = 'status' | 'newest' | 'all' | 'dispatch'

const documentation_url = 'https://docs.github.com/rest'

// The messages are GitHub's own.
const refusals = {
  'no-permission': refusal(403, 'Resource not accessible by integration'),
  'slow-down': withHeader(refusal(403, 'You are too fast'), 'retry-after', '1'),
  'server-error': refusal(500, 'Server Error'),
  unavailable: textAnswer(503, 'text/html', '<html>Unicorn!</html>'),
}

/** A fault of the API. `times` is the number of requests that it hits (default: all). */
export interface GithubApiFault {
  /**
   * With `hang`, a request gets no answer. With `reset`, the connection is closed. With `taken`, the
   * API does what the request asks for, and then closes the connection.
   */
  fault: keyof typeof refusals | 'hang' | 'reset' | 'taken'
  /** Default: all routes. */
  on?: GithubRoute
  times?: number
  skip?: number
}

export interface GithubApiRequest {
  /** Undefined if GitHub has no such route. */
  route: GithubRoute | undefined
  /** The commit of a commit status. Undefined for other requests. */
  sha: string | undefined
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface StandingStatus {
  sha: string
  context: string
  state: string
  description: string
}

/** A stand-in for GitHub's REST API on loopback: commit statuses and repository dispatches. */
export interface GithubApi extends LoopbackServer {
  /** The value of GITHUB_API_URL. */
  url: string
  /** The value of GITHUB_TOKEN. */
  token: string
  /** All requests, valid or not, in the order of their arrival. */
  requests: GithubApiRequest[]
  /** All statuses that were set, in order. */
  statuses: StandingStatus[]
  inject(fault: GithubApiFault): void
}

// GitHub's limit for a context at one commit.
const maxStatuses = 1_000

/** `base` is the path before all routes, for example `/api/v3` on GitHub Enterprise Server. */
export async function openGithubApi({ base = '' } = {}): Promise<GithubApi> {
  const faults = new PendingFaults<GithubApiFault>(Infinity)
  const requests: GithubApiRequest[] = []
  const statuses: StandingStatus[] = []
  const token = `ghs_${crypto.randomUUID().replaceAll('-', '')}`
  const server = await openLoopbackServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming
    const { route, sha } = routeOf(method, path.slice(base.length))
    const request = { route, sha, path, headers, body: await text(incoming) } as const
    requests.push(request)
    const fault = faults.take(route ? [route] : [])?.fault
    await deliver(response, deliveryOf(request, fault, token, statuses))
  })
  const url = `${server.url.slice(0, -1)}${base}`
  return { ...server, url, token, requests, statuses, inject: (fault) => faults.inject(fault) }
}

function routeOf(method: string, path: string) {
  const of = (pattern: string) =>
    new RegExp(`^${pattern}$`).exec(`${method} ${path.replace(/\?.*/, '')}`)
  const repository = '/repos/[^/]+/[^/]+'
  const [, set] = of(`POST ${repository}/statuses/([^/]+)`) ?? []
  if (set !== undefined) return { route: 'status', sha: set } as const
  const [, read] = of(`GET ${repository}/commits/([^/]+)/status`) ?? []
  if (read !== undefined) return { route: 'newest', sha: read } as const
  const [, list] = of(`GET ${repository}/commits/([^/]+)/statuses`) ?? []
  if (list !== undefined) return { route: 'all', sha: list } as const
  const isDispatch = of(`POST ${repository}/dispatches`) !== null
  return { route: isDispatch ? ('dispatch' as const) : undefined, sha: undefined }
}

function deliveryOf(
  request: GithubApiRequest,
  fault: GithubApiFault['fault'] | undefined,
  token: string,
  statuses: StandingStatus[],
): Delivery {
  // A connection that hangs ends when the stand-in closes.
  if (fault === 'hang') return { how: 'silence' }
  if (fault === 'reset') return { how: 'reset' }
  if (fault !== undefined && fault !== 'taken') return send(refusals[fault])
  const reply = answer(request, token, statuses)
  return fault === 'taken' ? { how: 'reset' } : send(reply)
}

function answer(
  { route, sha = '', path, headers, body }: GithubApiRequest,
  token: string,
  statuses: StandingStatus[],
): Answer {
  if (!route) return refusal(404, 'Not Found')
  const { authorization = '' } = headers
  if (![`Bearer ${token}`, `token ${token}`].includes(authorization)) {
    return refusal(401, authorization ? 'Bad credentials' : 'Requires authentication')
  }
  if (route === 'dispatch') return noContent
  const earlier = statuses.filter((status) => status.sha === sha)
  if (route === 'newest') return jsonAnswer(200, { statuses: pageOf(newestOf(earlier), path) })
  if (route === 'all') {
    const all = pageOf(earlier.toReversed(), path)
    return jsonAnswer(200, all)
  }
  const status = { sha, ...(JSON.parse(body) as Omit<StandingStatus, 'sha'>) }
  if (earlier.filter(({ context }) => context === status.context).length >= maxStatuses) {
    const message = 'This SHA and context has reached the maximum number of statuses.'
    const errors = [{ resource: 'Status', code: 'custom', message }]
    return jsonAnswer(422, { message: 'Validation Failed', errors, documentation_url })
  }
  statuses.push(status)
  return jsonAnswer(201, { id: 1, ...status })
}

/** Returns the newest status of each context. */
function newestOf(statuses: StandingStatus[]): StandingStatus[] {
  return [...new Map(statuses.map((status) => [status.context.toLowerCase(), status])).values()]
}

function pageOf(statuses: StandingStatus[], path: string): StandingStatus[] {
  const { searchParams } = new URL(path, 'http://localhost')
  const size = Number(searchParams.get('per_page') ?? 30)
  const page = Number(searchParams.get('page') ?? 1)
  return statuses.slice((page - 1) * size, page * size)
}

function refusal(status: number, message: string): Answer {
  return jsonAnswer(status, { message, documentation_url, status: String(status) })
}

function withHeader(answer: Answer, name: string, value: string): Answer {
  return { ...answer, headers: { ...answer.headers, [name]: value } }
}
