import { identify, type Account } from './accounts.ts'
import { jsonAnswer, type Answer } from './answer.ts'
import { answerStatus, createProject, startAutomation, type Service } from './api.ts'
import type { FaultTarget } from './faults.ts'
import type { RecordedRequest, RequestKind } from './recorded-request.ts'
import type { Serving } from './stored-file.ts'

export interface Route {
  kind: RequestKind
  targets: FaultTarget[]
  answer(request: RecordedRequest, serving: Serving): Promise<Answer> | Answer
}

type Handle = (account: Account, request: RecordedRequest) => Promise<Answer> | Answer
type ApiKind = 'start' | 'status' | 'create-project'

/** The route of a request. Path segments are percent-decoded one by one, never resolved. */
export function findRoute(service: Service, method: string, path: string): Route {
  const segments = decode(path.split('?')[0] ?? '')
  if (!segments) return refusing(400, { message: 'The path is not validly percent-encoded.' })
  const found = apiRoute(service, segments) ?? linkRoute(service, segments, path)
  if (!found) return refusing(404, { detail: 'Not found.' })
  if (found.method === method) return found
  return { ...refusing(405, { detail: `Method "${method}" not allowed.` }), kind: found.kind }
}

type MethodRoute = Route & { method: 'GET' | 'POST' }

function apiRoute(service: Service, [api, ...segments]: string[]): MethodRoute | undefined {
  if (api !== 'api' || segments.includes('')) return undefined
  const [name, second = '', third = '', fourth] = segments
  const shape = [name, segments.length].join(' ')
  if (shape === 'create-project 1') {
    return guarded(service, 'POST', 'create-project', (account, { body }) =>
      createProject(service, account, body),
    )
  }
  if (shape === 'start-automation 3') {
    return guarded(service, 'POST', 'start', (account, { body }) =>
      startAutomation(service, account, { project: second, automation: third, body }),
    )
  }
  if (shape !== 'v4 4' || second !== 'execution' || fourth !== 'status') return undefined
  return guarded(service, 'GET', 'status', (account) => answerStatus(service, account, third))
}

/** Credentials are the first check of every documented route ("Authentication", 5). */
function guarded(
  { settings }: Service,
  method: 'GET' | 'POST',
  kind: ApiKind,
  handle: Handle,
): MethodRoute {
  return {
    method,
    kind,
    targets: [kind],
    answer(request) {
      const account = identify(request.headers, settings)
      if (!account) {
        return jsonAnswer(401, { detail: 'Authentication credentials were not provided.' })
      }
      // The service's description lists the header; what happens without it is not shown.
      const type = request.headers['content-type'] ?? ''
      if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(type)) {
        return jsonAnswer(415, { detail: `Unsupported media type "${type}".` })
      }
      if (!request.isUtf8) return jsonAnswer(400, { message: 'The body is not valid UTF-8.' })
      return handle(account, request)
    },
  }
}

/** Signed links. */
function linkRoute({ links }: Service, segments: string[], path: string): MethodRoute | undefined {
  if (segments[0] !== 'download' || segments.length !== 3) return undefined
  const file = links.fileOf(path)
  return {
    method: 'GET',
    kind: 'link',
    targets: file ? [`link-${file}`, 'link'] : ['link'],
    answer: (request, serving) => links.answer(request, serving),
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
