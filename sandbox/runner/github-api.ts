import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { jsonAnswer, noContent, type Answer } from '../http/answer.ts'
import { deliver, send } from '../http/delivery.ts'
import { openLoopbackServer, type LoopbackServer } from '../http/loopback-server.ts'
import { PendingFaults } from '../http/pending-faults.ts'

export type GithubRoute = 'status' | 'dispatch'

// The messages are GitHub's own.
const refusals = {
  'no-permission': refusal(403, 'Resource not accessible by integration'),
  'server-error': refusal(500, 'Server Error'),
}

/** A fault of all routes. `times` is the number of requests that it hits (default: all). */
export interface GithubApiFault {
  /** With `hang`, a request gets no answer. */
  fault: keyof typeof refusals | 'hang'
  times?: number
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

/** A stand-in for GitHub's REST API on loopback: commit statuses and repository dispatches. */
export interface GithubApi extends LoopbackServer {
  /** The value of GITHUB_API_URL. */
  url: string
  /** The value of GITHUB_TOKEN. */
  token: string
  /** All requests, valid or not, in the order of their arrival. */
  requests: GithubApiRequest[]
  inject(fault: GithubApiFault): void
}

/** `base` is the path before all routes, for example `/api/v3` on GitHub Enterprise Server. */
export async function openGithubApi({ base = '' } = {}): Promise<GithubApi> {
  const faults = new PendingFaults<GithubApiFault>(Infinity)
  const requests: GithubApiRequest[] = []
  const token = `ghs_${crypto.randomUUID().replaceAll('-', '')}`
  const server = await openLoopbackServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming
    const routes = new RegExp(`^POST ${base}/repos/[^/]+/[^/]+/(?:dispatches|statuses/([^/]+))$`)
    const [found, sha] = routes.exec(`${method} ${path}`) ?? []
    const route = found === undefined ? undefined : sha === undefined ? 'dispatch' : 'status'
    const request = { route, sha, path, headers, body: await text(incoming) } as const
    requests.push(request)
    const fault = faults.take(route ? [route] : [])
    // A connection that hangs ends when the stand-in closes.
    if (fault?.fault === 'hang') return
    const reply = fault ? refusals[fault.fault] : answer(request, token)
    await deliver(response, send(reply))
  })
  const url = `${server.url.slice(0, -1)}${base}`
  return { ...server, url, token, requests, inject: (fault) => faults.inject(fault) }
}

function answer({ route, headers, body }: GithubApiRequest, token: string): Answer {
  if (!route) return refusal(404, 'Not Found')
  const { authorization = '' } = headers
  if (![`Bearer ${token}`, `token ${token}`].includes(authorization)) {
    return refusal(401, authorization ? 'Bad credentials' : 'Requires authentication')
  }
  if (route === 'dispatch') return noContent
  return jsonAnswer(201, { id: 1, ...(JSON.parse(body) as object) })
}

function refusal(status: number, message: string): Answer {
  const documentation_url = 'https://docs.github.com/rest'
  return jsonAnswer(status, { message, documentation_url, status: String(status) })
}
