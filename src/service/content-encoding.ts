/** Undoes the content encoding of a body (RFC 9110, section 8.4). */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'

/** How to undo an encoding. Empty where there is none. */
export interface Decoding {
  decoder?: Transform
  /** The encoding, untrusted, where it is not supported: the bytes then stay as they came. */
  unknown?: string
}

/**
 * The decoding for a `content-encoding` header, by Node's decoders. Several encodings on top of each
 * other are not supported. Nor is zstd: of several frames in one chunk Node's decoder drops all but
 * the first, and a part of a file would pass for the whole.
 */
export async function decodingFor(header = ''): Promise<Decoding> {
  const encoding = header.trim()
  if (encoding === '' || encoding.toLowerCase() === 'identity') return {}
  // Loaded only when an answer is encoded, which is rare: it would delay the first request.
  const zlib = await import('node:zlib')
  switch (encoding.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return { decoder: zlib.createGunzip() }
    case 'deflate':
      return { decoder: zlib.createInflate() }
    case 'br':
      return { decoder: zlib.createBrotliDecompress() }
    default:
      // As it came: a secret in other letters is one that nobody finds.
      return { unknown: encoding }
  }
}

/** The body with its encoding undone. An error of the message ends the returned stream too. */
export async function decoded(message: IncomingMessage): Promise<Readable> {
  const { decoder } = await decodingFor(message.headers['content-encoding'])
  return decoder ? pipeline(message, decoder, () => undefined) : message
}
