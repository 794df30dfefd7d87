import { jsonAnswer, type Answer } from '../http/answer.ts'
import { answerStatus, createProject, startAutomation, type Service } from './api.ts'
import { sandboxCredentials } from './credentials.ts'
import type { FaultTarget } from './faults.ts'
import type { RecordedRequest, RequestKind } from './recorded-request.ts'

export interface Route {
  kind: RequestKind
  /** The names under which faults can target the route. */
  targets: FaultTarget[]
  answer(request: RecordedRequest): Promise<Answer> | Answer
}

type Names = readonly string[]
type Handle = (service: Service, names: Names, body: string) => Promise<Answer> | Answer

interface ApiRoute {
  kind: 'start' | 'status' | 'create-project'
  method: 'GET' | 'POST'
  path: RegExp
  handle: Handle
}

const apiRoutes: readonly ApiRoute[] = [
  {
    kind: 'create-project',
    method: 'POST',
    path: /^\/api\/create-project$/,
    handle: createProject,
  },
  {
    kind: 'start',
    method: 'POST',
    path: /^\/api\/start-automation\/([^/]+)\/([^/]+)$/,
    handle: startAutomation,
  },
  {
    kind: 'status',
    method: 'GET',
    path: /^\/api\/v4\/execution\/([^/]+)\/status$/,
    handle: answerStatus,
  },
]

/** Returns the route of a request. Decodes each path segment alone, and does not resolve `..`. */
export function findRoute(service: Service, method: string, url: string): Route {
  const [path = ''] = url.split('?')
  if (method === 'GET' && path.startsWith('/download/')) return linkRoute(service, url)
  const found = apiRoutes.find((route) => route.path.test(path))
  if (!found) return refusing('unknown', 404, 'Not found.')
  const { kind } = found
  if (found.method !== method) return refusing(kind, 405, `Method "${method}" not allowed.`)
  const names = () => (found.path.exec(path) ?? []).slice(1).map(decodeURIComponent)
  const answer = (request: RecordedRequest) =>
    refusalOf(request) ?? found.handle(service, names(), request.body)
  return { kind, targets: [kind], answer }
}

/** Returns an error if the credentials, content type or encoding of a request are wrong. */
function refusalOf({ method, headers, isUtf8 }: RecordedRequest): Answer | undefined {
  const { apiToken, apiKey } = sandboxCredentials
  const { authorization = '', 'x-api-key': key, 'content-type': type = '' } = headers
  // The token is also accepted without `Token`.
  const token = /^Token (\S+)$/.exec(authorization)?.[1] ?? authorization
  if (token !== apiToken || key !== apiKey) {
    return jsonAnswer(401, { detail: 'Authentication credentials were not provided.' })
  }
  // The real service's answer to a request without this header is not known.
  if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(type)) {
    return jsonAnswer(415, { detail: `Unsupported media type "${type}".` })
  }
  return isUtf8 ? undefined : jsonAnswer(400, { message: 'The body is not valid UTF-8.' })
}

function linkRoute({ links }: Service, url: string): Route {
  const file = links.fileOf(url)
  const targets: FaultTarget[] = file ? [`link-${file}`, 'link'] : ['link']
  return { kind: 'link', targets, answer: (request) => links.answer(request) }
}

function refusing(kind: RequestKind, status: number, detail: string): Route {
  return { kind, targets: [], answer: () => jsonAnswer(status, { detail }) }
}
