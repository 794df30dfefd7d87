/** Undoes the content encoding of a body (RFC 9110, section 8.4). */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'

/** How to undo an encoding. */
export interface Decoding {
  /** To be passed through in this order. Often none. */
  decoders: Transform[]
  /** The encoding, untrusted, where it is not supported: the bytes then stay as they came. */
  unknown?: string
}

// One is usual. Each takes memory, so a longer list is taken for an attack.
const maxEncodings = 4

/** The decoding for a `content-encoding` header, which lists encodings in the order of application. */
export async function decodingFor(header: string | undefined): Promise<Decoding> {
  // Kept as they came: a secret in other letters is one that nobody finds.
  const names = (header ?? '').split(',').map((name) => name.trim())
  const applied = names.filter((name) => name !== '' && name.toLowerCase() !== 'identity')
  if (applied.length === 0) return { decoders: [] }
  const makers = await loadMakers()
  const makes = applied.toReversed().map((name) => makers.get(name.toLowerCase()))
  if (applied.length > maxEncodings || makes.includes(undefined)) {
    return { decoders: [], unknown: applied.join(', ') }
  }
  return { decoders: makes.flatMap((make) => make?.() ?? []) }
}

/**
 * Node's decoders (RFC 9110, section 8.4.1). Its decoder of zstd is not among them: of several
 * frames in one chunk it drops all but the first, and a part of a file would pass for the whole.
 */
async function loadMakers(): Promise<ReadonlyMap<string, () => Transform>> {
  // Loaded only when an answer is encoded, which is rare: it would delay the first request.
  const zlib = await import('node:zlib')
  return new Map<string, () => Transform>([
    ['gzip', () => zlib.createGunzip()],
    ['x-gzip', () => zlib.createGunzip()],
    ['deflate', () => zlib.createInflate()],
    ['br', () => zlib.createBrotliDecompress()],
  ])
}

/** The body with its encoding undone. An error of the message ends the returned stream too. */
export async function decoded(message: IncomingMessage): Promise<Readable> {
  const { decoders } = await decodingFor(message.headers['content-encoding'])
  const last = decoders.at(-1)
  if (!last) return message
  pipeline([message, ...decoders], () => undefined)
  return last
}
