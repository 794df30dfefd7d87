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

/** What the client received. */
export interface Seen {
  /** `lost`: the request may have arrived. The answer is missing or incomplete. */
  kind: 'no-connection' | 'lost' | 'answer'
  /** The status of the answer. 0 if there is no answer. */
  status: number
  /** Whether the answer is the service's own. */
  proper: boolean
  /** The `Retry-After`, in milliseconds. */
  retryAfter?: number | undefined
  record?: StatusRecord | undefined
  /** The execution that the start began. */
  executionId?: string | undefined
}

export interface Exchange {
  route: Route
  /** The service of the run. Each run of a batch has its own service. */
  service: object
  seen: Seen
  sentAt: number
  /** When the answer reached the client, or the client gave up. */
  at: number
  /** Whether the client gave up because the step was cancelled. */
  isCut: boolean
}

/** A commit status, as it was sent. */
interface SentStatus {
  state: string
  sentAt: number
  /** When its answer came, or the client gave up. */
  at: number
  /** The answer's status; undefined if none came. */
  answer: number | undefined
}

export interface SavedRecord {
  key: string
  /** The moment from which the cache has it. The step may have ended before. */
  at: number
  content: Uint8Array
}

export class Traffic {
  readonly statuses: SentStatus[] = []
  readonly exchanges: Exchange[] = []
  /** Names of faults, once for each occurrence. */
  readonly faults: string[] = []
  /** Faults of requests. */
  readonly requestFaults: string[] = []
  /** Executions and projects that the service created. */
  readonly accepted: string[] = []
  /** The age of each execution that was still running when the next one was started. */
  readonly overlaps: string[] = []
  /** Ids whose status was requested. */
  readonly asked = new Set<string>()
  /** Ids whose status was requested, and that belong to no execution of this step. */
  readonly unknownIds: string[] = []
  /** The records of this step that the cache accepted. */
  readonly records: SavedRecord[] = []
  /** The key of the record that the cache answered with. */
  recordFound: string | undefined
  cacheFaults = 0
  /** When the store last sent a byte. */
  lastByteAt = 0
  /** The highest number of executions whose files were downloaded at once. */
  maxDownloads = 0
  /** Aborts when the process has ended. All later requests fail. */
  readonly ended = new AbortController()

  of(route: Route): Exchange[] {
    return this.exchanges.filter((exchange) => exchange.route === route)
  }

  /** Returns the traffic about these executions. */
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

/** Returns the documented route of a request. Notes missing credentials. */
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

/** True if the client knows that the service carried out the request. */
export function isAccepted({ proper, status }: Seen): boolean {
  return proper && status < 300
}

/** True if the answer proves that the service did not begin. */
export function provesNothingBegan({ kind, status, retryAfter }: Seen): boolean {
  return kind === 'no-connection' || status === 429 || (status === 503 && retryAfter !== undefined)
}

/** True if the service may have carried out the request without the client's knowledge. */
export function leavesOpen(seen: Seen): boolean {
  const { kind, status, proper } = seen
  if (kind === 'lost') return true
  if (provesNothingBegan(seen)) return false
  if (status >= 500 || status === 408) return true
  if (status >= 300 && status < 400) return ![301, 307, 308].includes(status)
  return status < 300 && !proper
}
