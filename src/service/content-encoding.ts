import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** A decoder for a `content-encoding`; undefined where the bytes are the content itself. */
export function decoderFor(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new Error(`its content-encoding ${JSON.stringify(encoding)} is not understood`)
  }
}

/** The body with its encoding undone. An error of the message ends the returned stream too. */
export function decoded(message: IncomingMessage): Readable {
  const decoder = decoderFor(message.headers['content-encoding'])
  if (!decoder) return message
  return pipeline(message, decoder, () => undefined)
}
