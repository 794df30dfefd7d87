/** Undoes the content encoding of a body (RFC 9110, section 8.4). */
import type { IncomingMessage } from 'node:http'
import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream'

/** How to undo an encoding. Empty if there is none. */
export interface Decoding {
  decoder?: Transform
  /** The unsupported encoding (untrusted). The bytes then stay encoded. */
  unknown?: string
}

// With these names, the stored bytes are not encoded. Some stores repeat the name of an upload.
const withoutEffect = ['', 'identity', 'none', 'aws-chunked']

/**
 * The decoding for a `content-encoding` header, by Node's decoders. Several encodings on top of each
 * other are not supported. Nor is zstd: of several frames in one chunk Node's decoder drops all but
 * the first, and a part of a file would pass for the whole.
 */
export async function decodingFor(header = ''): Promise<Decoding> {
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  const [encoding, ...more] = names.filter((name) => !withoutEffect.includes(name))
  if (encoding === undefined) return {}
  // Loaded only when an answer is encoded, which is rare: it would delay the first request.
  const zlib = await import('node:zlib')
  const known = new Map<string, ChooseDecoder>([
    ['gzip', () => zlib.createGunzip()],
    ['x-gzip', () => zlib.createGunzip()],
    // Some servers leave out the zlib header, whose first byte ends in 8 (RFC 1950, section 2.2).
    ['deflate', (first) => ((first & 15) === 8 ? zlib.createInflate() : zlib.createInflateRaw())],
    ['br', () => zlib.createBrotliDecompress()],
  ])
  const choose = more.length === 0 ? known.get(encoding) : undefined
  // The header is passed on in the letters that came: a secret in other letters would not be found.
  return choose ? { decoder: new LazyDecoder(choose) } : { unknown: header.trim() }
}

type ChooseDecoder = (firstByte: number) => Transform

/** Opens its decoder at the first byte. An empty body stays empty, as in browsers. */
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
    // Zeros after a complete gzip member are ignored: the decoder ends without a callback.
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

  /** Called when the reader has room again. */
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

/** The body with its encoding undone. An error of the message ends the returned stream too. */
export async function decoded(message: IncomingMessage): Promise<Readable> {
  const { decoder } = await decodingFor(message.headers['content-encoding'])
  return decoder ? pipeline(message, decoder, () => undefined) : message
}
