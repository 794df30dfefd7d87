import type { IncomingHttpHeaders } from 'node:http'

export type RequestKind = 'start' | 'status' | 'create-project' | 'link' | 'unknown'

/** A received request. `body` is empty until the whole body has arrived. */
export interface RecordedRequest {
  method: string
  /** The path and query, exactly as the client sent them. */
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** True if the body is UTF-8, as JSON must be. `body` shows U+FFFD for invalid bytes. */
  isUtf8: boolean
  /** When the request arrived, in milliseconds since the epoch. */
  at: number
  kind: RequestKind
}
