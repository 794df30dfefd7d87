import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { acceptedAnswer, faultyAnswer, refusal, type GithubApiFault } from './github-api-answers.ts'
import {
  GithubDescription,
  type DescribedRoute,
  type GithubRoute,
} from './github-api-description.ts'
import { openLoopbackServer } from './loopback-server.ts'
import type { Reply } from './reply.ts'
import { PendingFaults } from './service-faults.ts'

export type { GithubApiFault } from './github-api-answers.ts'

/** A request that reached the stand-in, in order, right or wrong. */
export interface GithubApiRequest {
  /** Undefined where GitHub describes no such route. */
  route: GithubRoute | undefined
  /** `owner`, `repo` and, of a status, `sha`, decoded. */
  parameters: Record<string, string>
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  /** What is wrong with it by GitHub's description and rules; a good request has none. */
  violations: string[]
}

/**
 * A stand-in of GitHub's REST API on loopback: commit statuses and repository dispatches. A request
 * that breaks GitHub's own description of these routes is recorded and refused.
 */
export interface GithubApi extends AsyncDisposable {
  /** GITHUB_API_URL. */
  url: string
  /** GITHUB_TOKEN. */
  token: string
  requests: GithubApiRequest[]
  inject(fault: GithubApiFault): void
  close(): Promise<void>
}

/** `base`: the path before all routes, which GitHub Enterprise Server has. */
export async function openGithubApi({ base = '' } = {}): Promise<GithubApi> {
  const description = new GithubDescription()
  const faults = new PendingFaults<GithubApiFault>()
  const requests: GithubApiRequest[] = []
  const token = `ghs_${crypto.randomUUID().replaceAll('-', '')}`
  const server = await openLoopbackServer((request, response) =>
    answer(request, response, { description, faults, requests, token, url, base }),
  )
  const url = `${server.url.slice(0, -1)}${base}`
  return { ...server, url, token, requests, inject: (fault) => faults.inject(fault) }
}

interface Context {
  description: GithubDescription
  faults: PendingFaults<GithubApiFault>
  requests: GithubApiRequest[]
  token: string
  url: string
  base: string
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context) {
  const { method = '', url: path = '/', headers } = request
  const body = await text(request)
  const { pathname } = new URL(path, context.url)
  const route = pathname.startsWith(`${context.base}/`) ? pathname.slice(context.base.length) : ''
  const described = method === 'POST' ? context.description.routeOf(route) : undefined
  const violations = described
    ? [...headerProblems(headers), ...context.description.problemsOf(described.route, body)]
    : [`GitHub describes no ${method} ${pathname}`]
  const { parameters = {} } = described ?? {}
  context.requests.push({
    route: described?.route,
    parameters,
    method,
    path,
    headers,
    body,
    violations,
  })
  const reply = decide(described, { headers, body, violations }, context)
  // Closing the stand-in ends a connection that hangs.
  if (reply) response.writeHead(reply.status, reply.headers).end(reply.body)
}

function headerProblems(headers: IncomingMessage['headers']): string[] {
  return headers['user-agent'] ? [] : ['GitHub refuses requests without a User-Agent']
}

type Arrived = Pick<GithubApiRequest, 'headers' | 'body' | 'violations'>

function decide(
  described: DescribedRoute | undefined,
  { headers, body, violations }: Arrived,
  { faults, token, url }: Context,
): Reply | undefined {
  if (!described) return refusal(404, 'Not Found')
  const fault = faults.take(described.route)
  if (fault) return faultyAnswer(fault)
  const { authorization = '' } = headers
  if (![`Bearer ${token}`, `token ${token}`].includes(authorization)) {
    return refusal(401, authorization ? 'Bad credentials' : 'Requires authentication')
  }
  if (violations.length > 0) return refusal(422, 'Invalid request.', violations)
  return acceptedAnswer(described, body, url)
}
