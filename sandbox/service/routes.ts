import { jsonAnswer, type Answer } from './answer.ts'
import type { Account } from './accounts.ts'
import type { FaultTarget } from './faults.ts'
import type { LinkServing } from './links.ts'
import type { RecordedRequest, RequestKind } from './recorded-request.ts'

/** What answers the requests; the routes only find the right one. */
export interface Desk {
  identify(request: RecordedRequest): Account | undefined
  createProject(account: Account, body: string): Answer
  start(account: Account, project: string, automation: string, body: string): Promise<Answer>
  status(account: Account, id: string): Promise<Answer>
  link(request: RecordedRequest, serving: LinkServing): Promise<Answer>
  linkTarget(token: string): FaultTarget | undefined
  control(request: RecordedRequest, segments: readonly string[]): Answer
}

export interface Route {
  kind: RequestKind
  targets: FaultTarget[]
  answer(request: RecordedRequest, serving: LinkServing): Promise<Answer> | Answer
}

/** The route of a request. Path segments are percent-decoded one by one, never resolved. */
export function findRoute(desk: Desk, method: string, path: string): Route {
  const segments = decode(path.split('?')[0] ?? '')
  if (!segments) return refusing(400, { message: 'The path is not validly percent-encoded.' })
  const route =
    apiRoute(desk, segments) ?? linkRoute(desk, segments) ?? controlRoute(desk, segments)
  if (!route) return refusing(404, { detail: 'Not found.' })
  if (route.method !== undefined && route.method !== method) {
    return { ...refusing(405, { detail: `Method "${method}" not allowed.` }), kind: route.kind }
  }
  return route
}

type MethodRoute = Route & { method: string | undefined }

function apiRoute(desk: Desk, segments: string[]): MethodRoute | undefined {
  const [api, second, third, fourth, fifth] = segments
  if (api !== 'api') return undefined
  if (second === 'create-project' && segments.length === 2) {
    return guarded(desk, 'POST', 'create-project', (account, { body }) =>
      desk.createProject(account, body),
    )
  }
  if (second === 'start-automation' && third && fourth && segments.length === 4) {
    return guarded(desk, 'POST', 'start', (account, { body }) =>
      desk.start(account, third, fourth, body),
    )
  }
  if (second === 'v4' && third === 'execution' && fourth && fifth === 'status') {
    if (segments.length !== 5) return undefined
    return guarded(desk, 'GET', 'status', (account) => desk.status(account, fourth))
  }
  return undefined
}

/** Credentials are the first check of every documented route ("Authentication", 5). */
function guarded(
  desk: Desk,
  method: string,
  kind: 'start' | 'status' | 'create-project',
  act: (account: Account, request: RecordedRequest) => Promise<Answer> | Answer,
): MethodRoute {
  return {
    ...{ method, kind, targets: [kind] },
    answer(request) {
      const account = desk.identify(request)
      if (!account) {
        return jsonAnswer(401, { detail: 'Authentication credentials were not provided.' })
      }
      // The document lists the header; what happens without it is not shown.
      const type = request.headers['content-type'] ?? ''
      if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(type)) {
        return jsonAnswer(415, { detail: `Unsupported media type "${type}".` })
      }
      if (!request.isUtf8) return jsonAnswer(400, { message: 'The body is not valid UTF-8.' })
      return act(account, request)
    },
  }
}

function linkRoute(desk: Desk, segments: string[]): MethodRoute | undefined {
  if (segments[0] !== 'download' || segments.length !== 3) return undefined
  const target = desk.linkTarget(segments[1] ?? '')
  return {
    ...{ method: 'GET', kind: 'link', targets: target ? [target, 'link'] : ['link'] },
    answer: (request, serving) => desk.link(request, serving),
  }
}

function controlRoute(desk: Desk, segments: string[]): MethodRoute | undefined {
  if (segments[0] !== 'control') return undefined
  return {
    ...{ method: undefined, kind: 'control', targets: [] },
    answer: (request) => desk.control(request, segments.slice(1)),
  }
}

function refusing(status: number, json: Record<string, unknown>): Route {
  return { kind: 'unknown', targets: [], answer: () => jsonAnswer(status, json) }
}

function decode(path: string): string[] | undefined {
  try {
    return path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    return undefined
  }
}
