/** Records what the simulated network transferred during one step. */
import type { HttpRequest } from '../../src/service/http-request.ts'
import type { Flags } from './execution-plan.ts'
import type { Caller } from './secrets.ts'

export type Route = 'start' | 'status' | 'create-project'

export type StatusRecord = Flags & {
  finished: boolean
  result_url: string | null
  logs_url: string | null
}

/** What the client received after one request. */
export interface Seen {
  /** `lost` means that the request may have arrived, but no complete answer came. */
  kind: 'no-connection' | 'lost' | 'answer'
  /** The HTTP status of the answer. 0 means that there is no answer. */
  status: number
  /** True if the service itself made the answer, and no fault replaced the answer. */
  proper: boolean
  isWebPage?: boolean
  /** True if the service had accepted the credentials of this step before. */
  isProven?: boolean
  /** The span of the `Retry-After` header, in milliseconds. */
  retryAfter?: number | undefined
  record?: StatusRecord | undefined
  /** The usable id that the answer to a start names. */
  executionId?: string | undefined
}

export interface Exchange {
  route: Route
  /** The service that received the request. Each run of a batch has its own service. */
  service: object
  seen: Seen
  sentAt: number
  /** When the connection was made. Undefined if there was no connection. */
  connectedAt: number | undefined
  /** When the answer arrived, or when the client stopped waiting. */
  at: number
  /** True if a cancellation ended the wait for the answer. */
  isInterrupted: boolean
}

export interface SavedRecord {
  key: string
  /** When the step began to save the record. */
  from: number
  /** When the record is in the cache. The step may end before this time. */
  at: number
  content: Uint8Array
}

/** Moments of a step at which the runner may cancel or kill the step. */
const momentNames = ['save', 'last save', 'retry', 'answer', 'commit status'] as const
export type Moment = (typeof momentNames)[number]

export class Traffic {
  /** The states of the commit statuses that the step sent. */
  readonly statuses: string[] = []
  readonly exchanges: Exchange[] = []
  /** Names of faults, once for each occurrence. */
  readonly faults: string[] = []
  /** Errors in requests of the step, for example missing credentials. */
  readonly requestFaults: string[] = []
  /** The executions that the service started and the projects that it created. */
  readonly accepted: string[] = []
  /** Texts about executions that were still running when the next execution was started. */
  readonly overlaps: string[] = []
  /** The requested ids that belong to no execution of this step. */
  readonly unknownIds: string[] = []
  /** The records of this step that the cache accepted or will accept. */
  readonly records: SavedRecord[] = []
  /** All saves of the step, until their answer or until the step gave them up. */
  readonly saves: { from: number; to: number; isGivenUp: boolean }[] = []
  /** The key of the record that the last look-up found for this step. */
  recordFound: string | undefined
  /** Each controller aborts at the first such moment of the step. */
  readonly moments = Object.fromEntries(
    momentNames.map((name) => [name, new AbortController()]),
  ) as Record<Moment, AbortController>
  cacheFaults = 0
  /** When the store sent the last byte. */
  lastByteAt = 0
  /** The maximum number of executions whose files were downloaded in parallel. */
  maxDownloads = 0
  /** Aborts when the process has ended. All requests after that fail. */
  readonly ended = new AbortController()

  /** Returns true if the service has accepted the credentials of this step. */
  isProven(): boolean {
    return this.exchanges.some(({ seen }) => provesCredentials(seen))
  }

  /**
   * Notes which refused credentials were proven by another request. A batch waits for this as long as
   * a request is in flight.
   */
  noteProofs(): void {
    const sent = this.exchanges.toSorted((one, other) => one.sentAt - other.sentAt)
    for (const { seen, at } of sent.filter((each) => refusesCredentials(each.seen))) {
      let end = at
      for (const other of sent) {
        if (other.sentAt >= end || other.at <= at) continue
        end = Math.max(end, other.at)
        seen.isProven ||= provesCredentials(other.seen)
      }
    }
  }

  of(route: Route): Exchange[] {
    return this.exchanges.filter((exchange) => exchange.route === route)
  }

  /** Returns the id of the newest execution that another service has started. */
  idBeside(service: object): string | undefined {
    const accepted = ({ seen, service: of }: Exchange) => isAccepted(seen) && of !== service
    return this.of('start').findLast(accepted)?.seen.executionId
  }

  /** Returns the requests and the executions of one service. `knows` recognizes its executions. */
  forService(service: object, knows: (id: string) => boolean): Traffic {
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

/** Returns the route of a request. Adds a request fault if the credentials are wrong. */
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

/**
 * Returns true if the client knows that the service executed the request. An error proves that too if
 * it is ambiguous and names the execution.
 */
export function isAccepted({ proper, status, executionId }: Seen): boolean {
  if (!proper) return false
  return status < 300 || (executionId !== undefined && status !== 503 && isAmbiguous(status))
}

/** Returns true for the statuses that a proxy may send although the service accepted the request. */
function isAmbiguous(status: number): boolean {
  if (status >= 300 && status < 400) return ![301, 307, 308].includes(status)
  return status >= 500 || status === 408
}

/** Returns true if the client knows that the service did not begin to execute the request. */
export function provesNoStart({ kind, status, retryAfter, executionId }: Seen): boolean {
  if (executionId !== undefined) return false
  return kind === 'no-connection' || status === 429 || (status === 503 && retryAfter !== undefined)
}

/** Returns true if the client cannot know whether the service executed the request. */
export function isUnclear(seen: Seen): boolean {
  const { kind, status, proper } = seen
  if (kind === 'lost') return true
  if (provesNoStart(seen) || isAccepted(seen)) return false
  if (isAmbiguous(status) || status === 429) return true
  return status < 300 && !proper
}

/** Returns true if the service accepted the credentials, even if a start names another execution. */
export function provesCredentials({ proper, status, executionId }: Seen): boolean {
  return status < 300 && (proper || executionId !== undefined)
}

/** Returns true if the service itself refused the credentials, and not a web page of a gateway. */
export function refusesCredentials(seen: Seen | undefined): boolean {
  return seen !== undefined && [401, 403].includes(seen.status) && seen.isWebPage !== true
}

/** Returns true if a refusal of a start may pass, because the credentials were accepted before. */
export function mayRefuseOnce(seen: Seen | undefined): boolean {
  return refusesCredentials(seen) && seen?.isProven === true && seen.executionId === undefined
}
