/**
 * Undoes the content encodings of a response body (RFC 9110, section 8.4). zstd is not undone: the
 * zstd decoder of Node.js reads only the first of several frames and reports no error, so a part of
 * a file would look complete.
 */
import { pipeline, type Duplex } from 'node:stream'
import type * as Zlib from 'node:zlib'

type Body = AsyncIterable<Buffer>
/** `first` is the first byte of the encoded body. */
type CreateDecoder = (zlib: typeof Zlib, first: number) => Duplex & { bytesWritten: number }

/**
 * Names that clients of object stores put into the list, and that change no byte: `aws-chunked` is
 * the form of an upload, and `utf-8` is a character encoding.
 */
const withoutEffect = new Set(['', 'identity', 'none', 'aws-chunked', 'utf-8'])

// Some servers send deflate without the zlib wrapper, whose first byte ends in 8 (RFC 1950).
const inflate: CreateDecoder = (zlib, first) =>
  (first & 15) === 8 ? zlib.createInflate() : zlib.createInflateRaw()

const gunzip: CreateDecoder = (zlib) => zlib.createGunzip()
const decoders: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', (zlib) => zlib.createBrotliDecompress()],
  ['deflate', inflate],
])

/** The maximum number of encodings that are undone, because each one can multiply the size. */
const maxEncodings = 5

/**
 * Returns the function that undoes the list in a `content-encoding` header, the last encoding first.
 * Returns undefined if one of the encodings cannot be undone, or if there are too many.
 */
export function decoderFor(header = ''): ((body: Body) => Body) | undefined {
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  const encodings = names.filter((name) => !withoutEffect.has(name)).reverse()
  const undo = encodings.map((name) => decoders.get(name)).filter((found) => found !== undefined)
  if (undo.length < encodings.length || undo.length > maxEncodings) return undefined
  return (body) => undo.reduce(decoded, body)
}

/** Yields the decoded body. An empty body stays empty, although it is not valid gzip or brotli. */
async function* decoded(body: Body, createDecoder: CreateDecoder): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  let size = 0
  const whole = async function* () {
    for (let next: IteratorResult<Buffer> = first; !next.done; next = await chunks.next()) {
      size += next.value.length
      yield next.value
    }
  }
  // Loads zlib only here, because loading zlib at the start would delay the first request.
  const decoder = createDecoder(await import('node:zlib'), first.value[0] ?? 0)
  yield* pipeline(whole, decoder, () => undefined) as Body
  // A decoder ignores what follows the end of its stream. That of gzip ignores only zeros.
  if (createDecoder !== gunzip && size > decoder.bytesWritten) {
    throw Object.assign(new Error('data after its end'), { code: 'Z_DATA_ERROR' })
  }
}
