import type { IncomingHttpHeaders } from 'node:http'

export type RequestKind = 'start' | 'status' | 'create-project' | 'link' | 'unknown'

/** A request, recorded from its first line on. Its body grows while it arrives. */
export interface RecordedRequest {
  method: string
  /** Path and query, as sent. */
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** True if the body is UTF-8, as JSON must be. `body` shows U+FFFD for invalid bytes. */
  isUtf8: boolean
  /** Milliseconds since the epoch. */
  at: number
  kind: RequestKind
}
