import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'

// Loaded when an answer is encoded, which is rare: the first request need not wait for it.
const zlib = () => import('node:zlib')

/** A decoder for a `content-encoding`; undefined where the bytes are the content itself. */
export async function decoderFor(encoding: string | undefined): Promise<Transform | undefined> {
  switch (encoding?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return (await zlib()).createGunzip()
    case 'deflate':
      return (await zlib()).createInflate()
    case 'br':
      return (await zlib()).createBrotliDecompress()
    default:
      throw new Error(`its content-encoding ${JSON.stringify(encoding)} is not understood`)
  }
}

/** The body with its encoding undone. An error of the message ends the returned stream too. */
export async function decoded(message: IncomingMessage): Promise<Readable> {
  const decoder = await decoderFor(message.headers['content-encoding'])
  if (!decoder) return message
  return pipeline(message, decoder, () => undefined)
}
