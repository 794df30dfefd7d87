/** Decodes the content encoding of a response body (RFC 9110, section 8.4). */
import type { IncomingMessage } from 'node:http'
import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream'

/** How to decode a body. The object is empty if the body is not encoded. */
export interface Decoding {
  decoder?: Transform
  /** The name of an unsupported encoding (untrusted). The body stays encoded. */
  unknown?: string
}

// With these values of `Content-Encoding`, a body is not encoded. Some object stores return the
// header value from the upload.
const withoutEffect = ['', 'identity', 'none', 'aws-chunked']

/**
 * Returns the decoder for a `content-encoding` header. Does not support several encodings at once.
 * Does not support zstd: if a chunk has several frames, the zstd decoder of Node.js reads only the
 * first frame. Then a part of a file would look complete.
 */
export async function decodingFor(header = ''): Promise<Decoding> {
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  const [encoding, ...more] = names.filter((name) => !withoutEffect.includes(name))
  if (encoding === undefined) return {}
  // Loads zlib only here, because loading zlib at the start would delay the first request.
  const zlib = await import('node:zlib')
  const known = new Map<string, ChooseDecoder>([
    ['gzip', () => zlib.createGunzip()],
    ['x-gzip', () => zlib.createGunzip()],
    // In a zlib header, the low 4 bits are 8 (RFC 1950, section 2.2). Some servers omit the header.
    ['deflate', (first) => ((first & 15) === 8 ? zlib.createInflate() : zlib.createInflateRaw())],
    ['br', () => zlib.createBrotliDecompress()],
  ])
  const choose = more.length === 0 ? known.get(encoding) : undefined
  // The header keeps its upper and lower case, so that redaction can find a secret in the header.
  return choose ? { decoder: new LazyDecoder(choose) } : { unknown: header.trim() }
}

type ChooseDecoder = (firstByte: number) => Transform

/** Creates the decoder at the first byte, so that an empty body stays empty, as in browsers. */
class LazyDecoder extends Transform {
  readonly #choose: ChooseDecoder
  #decoder: Transform | undefined

  constructor(choose: ChooseDecoder) {
    super()
    this.#choose = choose
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const [first] = chunk
    if (first !== undefined) this.#decoder ??= this.#open(first)
    const decoder = this.#decoder
    if (!decoder || decoder.readableEnded) {
      done()
      return
    }
    // If zeros follow a complete gzip member, the decoder ends and does not call this callback.
    const ended = () => done()
    decoder.once('end', ended).write(chunk, (error) => {
      decoder.off('end', ended)
      if (!decoder.readableEnded) done(error)
    })
  }

  override _flush(done: TransformCallback): void {
    if (!this.#decoder || this.#decoder.readableEnded) done()
    else this.#decoder.once('end', () => done()).end()
  }

  /** Node calls this method when the reader can take more data. */
  override _read(size: number): void {
    this.#decoder?.resume()
    super._read(size)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#decoder?.destroy()
    super._destroy(error, done)
  }

  #open(first: number): Transform {
    const decoder = this.#choose(first)
    decoder.on('error', (error) => this.destroy(error))
    return decoder.on('data', (content) => {
      if (!this.push(content)) decoder.pause()
    })
  }
}

/** Returns the decoded body. An error of `message` also ends the returned stream. */
export async function decoded(message: IncomingMessage): Promise<Readable> {
  const { decoder } = await decodingFor(message.headers['content-encoding'])
  return decoder ? pipeline(message, decoder, () => undefined) : message
}
