import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

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

// Bytes. No limit is documented; a stand-in must not fill the machine's memory.
const maxBody = 64 * 1024 * 1024

/** The whole body. Throws when it is cut, or larger than the sandbox takes. */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBody) throw new Error('the request body is larger than 64 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
