/** What went over the simulated network during one step. */
import type { HttpRequest } from '../../src/service/http-request.ts'
import type { Flags } from './execution-plan.ts'
import type { Caller } from './secrets.ts'

export type Route = 'start' | 'status' | 'create-project'

export type StatusRecord = Flags & {
  finished: boolean
  result_url: string | null
  logs_url: string | null
}

/** What reached the client. */
export interface Seen {
  /** `lost`: the request may have arrived; no answer, or half of one, came back. */
  kind: 'no-connection' | 'lost' | 'answer'
  /** Of an answer; 0 where there is none. */
  status: number
  /** Whether it is the service's own answer. */
  proper: boolean
  /** For how many milliseconds it asks to wait. */
  retryAfter?: number | undefined
  record?: StatusRecord | undefined
  /** Of the execution that a start began. */
  executionId?: string | undefined
}

export interface Exchange {
  route: Route
  /** Whose executions it is about: one service each, where a step has many runs. */
  service: object
  seen: Seen
  sentAt: number
  /** When it reached the client, or the client gave it up. */
  at: number
  /** Given up since the step was cancelled. */
  isCut: boolean
}

/** A status for the commit, as it was sent. */
interface SentStatus {
  state: string
  sentAt: number
  /** When its answer was there, or it was given up. */
  at: number
  /** The answer's status; undefined if none came. */
  answer: number | undefined
}

export class Traffic {
  readonly statuses: SentStatus[] = []
  readonly exchanges: Exchange[] = []
  /** Names of faults, as often as they happened. */
  readonly faults: string[] = []
  /** What was wrong with requests. */
  readonly requestFaults: string[] = []
  /** Executions and projects that were created. */
  readonly accepted: string[] = []
  /** How far the execution before was, where one was started while it ran. */
  readonly overlaps: string[] = []
  /** Ids whose status was asked for. */
  readonly asked = new Set<string>()
  /** Ids that were asked for and belong to no execution of this step. */
  readonly unknownIds: string[] = []
  /** The key of the record that the cache answered with. */
  recordFound: string | undefined
  cacheFaults = 0
  /** When the store last gave a byte. */
  lastByteAt = 0
  /** The most executions whose files were downloaded at once. */
  maxDownloads = 0
  /** Nothing gets through any more: the process is gone. */
  closed = false

  of(route: Route): Exchange[] {
    return this.exchanges.filter((exchange) => exchange.route === route)
  }

  /** What was about these executions alone. */
  about(service: object, knows: (id: string) => boolean): Traffic {
    const part = new Traffic()
    part.exchanges.push(...this.exchanges.filter((exchange) => exchange.service === service))
    part.accepted.push(...this.accepted.filter(knows))
    return part
  }
}

const routes: readonly (readonly [Route, RegExp])[] = [
  ['start', /^POST \/api\/start-automation\/chaos%2Fproject\/daily%20report$/],
  ['create-project', /^POST \/api\/create-project$/],
  ['status', /^GET \/api\/v4\/execution\/[^/]+\/status$/],
]

/** Which documented route a request asks; its credentials have to be there. */
export function routeOf(request: HttpRequest, caller: Caller, traffic: Traffic): Route {
  const { method, url, headers } = request
  const route = routes.find(([, pattern]) => pattern.test(`${method} ${url.pathname}`))?.[0]
  if (!route) throw new Error(`no such route: ${method} ${url.pathname}`)
  const { authorization, 'x-api-key': key } = headers
  if (authorization !== `Token ${caller.apiToken.value}` || key !== caller.apiKey.value) {
    traffic.requestFaults.push('a request without its credentials')
  }
  return route
}

/** Whether the client saw that the service has done what it was asked. */
export function isAccepted({ proper, status }: Seen): boolean {
  return proper && status < 300
}

/** Whether what the client saw proves that the service did not begin. */
export function provesNothingBegan({ kind, status, retryAfter }: Seen): boolean {
  return kind === 'no-connection' || status === 429 || (status === 503 && retryAfter !== undefined)
}

/** Whether the service may have done what it was asked, without the client knowing it. */
export function leavesOpen(seen: Seen): boolean {
  const { kind, status, proper } = seen
  if (kind === 'lost') return true
  if (provesNothingBegan(seen)) return false
  if (status >= 500 || status === 408) return true
  if (status >= 300 && status < 400) return ![301, 307, 308].includes(status)
  return status < 300 && !proper
}
