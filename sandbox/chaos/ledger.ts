/** What went over the simulated wire during one step, as a neutral witness writes it down. */
import type { Flags } from './run-plan.ts'

export type Route = 'start' | 'status' | 'create-project'

export type StatusRecord = Flags & {
  finished: boolean
  result_url: string | null
  logs_url: string | null
}

/** What reached the client. */
export type Seen =
  | { kind: 'no-connection' }
  /** The request may have arrived; no answer, or half of one, came back. */
  | { kind: 'lost' }
  | {
      kind: 'answer'
      status: number
      saysRetryAfter: boolean
      /** The service's own answer, and what it said where it is a status record. */
      proper: boolean
      record: StatusRecord | undefined
    }

export interface Exchange {
  route: Route
  seen: Seen
  sentAt: number
  /** When it reached the client. */
  at: number
}

export class Ledger {
  readonly exchanges: Exchange[] = []
  /** Names of faults, as often as they happened. */
  readonly faults: string[] = []
  /** Whatever a client must not send. */
  readonly complaints: string[] = []
  /** Executions and projects that came to be. */
  readonly accepted: string[] = []
  /** When the store last gave a byte. */
  lastByteAt = 0

  of(route: Route): Exchange[] {
    return this.exchanges.filter((exchange) => exchange.route === route)
  }
}

/** Whether what the client saw proves that the service did not begin. */
export function provesNothingBegan(seen: Seen): boolean {
  if (seen.kind === 'no-connection') return true
  if (seen.kind === 'lost') return false
  return seen.status === 429 || (seen.status === 503 && seen.saysRetryAfter)
}

/** Whether the service may have done what it was asked, without the client knowing it. */
export function leavesOpen(seen: Seen): boolean {
  if (seen.kind !== 'answer') return seen.kind === 'lost'
  const { status, proper } = seen
  if (provesNothingBegan(seen)) return false
  if (status >= 500 || status === 408) return true
  if (status >= 300 && status < 400) return ![301, 307, 308].includes(status)
  return status < 300 && !proper
}
