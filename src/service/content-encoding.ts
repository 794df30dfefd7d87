/**
 * Undoes the content encoding of a response body (RFC 9110, section 8.4). Only gzip and br are
 * undone. The zstd decoder of Node.js reads only the first of several frames and reports no error,
 * so a part of a file would look complete.
 */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'

/** Returns the decoder for a `content-encoding` header, or undefined if the body stays as it is. */
export async function decoderFor(header = ''): Promise<Transform | undefined> {
  const encoding = header.trim().toLowerCase()
  if (encoding !== 'gzip' && encoding !== 'br') return undefined
  // Loads zlib only here, because loading zlib at the start would delay the first request.
  const { createBrotliDecompress, createGunzip } = await import('node:zlib')
  return encoding === 'gzip' ? createGunzip() : createBrotliDecompress()
}

/** Returns the decoded body. An error of `message` also ends the returned stream. */
export async function decoded(message: IncomingMessage): Promise<Readable> {
  const decoder = await decoderFor(message.headers['content-encoding'])
  return decoder ? pipeline(message, decoder, () => undefined) : message
}
