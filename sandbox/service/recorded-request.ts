import type { IncomingHttpHeaders } from 'node:http'

export type RequestKind = 'start' | 'status' | 'create-project' | 'link' | 'unknown'

/** A request as it was seen, from its first line on; its body is filled in as it arrives. */
export interface RecordedRequest {
  method: string
  /** Path and query, as sent. */
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** Whether the body's bytes are UTF-8, as JSON has to be; `body` shows U+FFFD for what is not. */
  isUtf8: boolean
  /** Milliseconds since the epoch. */
  at: number
  kind: RequestKind
}
