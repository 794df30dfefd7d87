/** Decoders of content encodings. */
import { Transform, type TransformCallback } from 'node:stream'
import * as zlib from 'node:zlib'

/** What Node's decoders have in common. */
type Engine = Transform & { bytesWritten: number }
type OpenEngine = (firstByte: number | undefined) => Engine

/** What makes a decoder, by the name of its encoding (RFC 9110, section 8.4.1; zstd: RFC 8878). */
export const makers: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => new Decoder(() => zlib.createGunzip())],
  ['x-gzip', () => new Decoder(() => zlib.createGunzip())],
  ['deflate', () => new Decoder(openInflate)],
  ['br', () => new Decoder(() => zlib.createBrotliDecompress())],
  ['zstd', () => new Decoder(() => zlib.createZstdDecompress(), { frames: true })],
])

/**
 * `deflate` means the zlib format (RFC 9110, section 8.4.1.2), whose first byte has the method 8 in
 * its low bits. Many servers send raw deflate (RFC 1951), where these bits would be a stored block
 * with padding other than zeros, which no encoder writes.
 */
function openInflate(firstByte = 0): Engine {
  return (firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()
}

/**
 * Node's decoders silently drop whatever follows the end of their format. Here a further frame is
 * decoded where the format has frames, and else such bytes are an error: an incomplete file must
 * not pass for a complete one. Padding with zeros is accepted.
 */
class Decoder extends Transform {
  readonly #open: OpenEngine
  readonly #frames: boolean
  #engine: Engine | undefined
  #ended = false

  constructor(open: OpenEngine, { frames = false } = {}) {
    super()
    this.#open = open
    this.#frames = frames
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#ended && chunk.every((byte) => byte === 0)) done()
    else if (!this.#ended) this.#feed(this.#engine ?? this.#begin(chunk), chunk, done)
    else if (this.#frames) this.#feed(this.#begin(chunk), chunk, done)
    else done(new Error('bytes follow the end of its encoding'))
  }

  #feed(engine: Engine, chunk: Buffer, done: TransformCallback): void {
    const before = engine.bytesWritten
    engine.write(chunk, (error) => {
      // An engine that fails destroys this stream, too.
      if (error) return
      const rest = chunk.subarray(engine.bytesWritten - before)
      if (rest.length === 0) {
        done()
        return
      }
      this.#ended = true
      const goOn = () => {
        this._transform(rest, 'binary', done)
      }
      // Its end may have come before this call.
      if (engine.readableEnded) goOn()
      else engine.once('end', goOn)
    })
  }

  override _flush(done: TransformCallback): void {
    if (this.#ended) {
      done()
      return
    }
    const engine = this.#engine ?? this.#begin(Buffer.alloc(0))
    engine.once('end', () => done())
    engine.end()
  }

  override _read(size: number): void {
    this.#engine?.resume()
    super._read(size)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#engine?.destroy()
    done(error)
  }

  #begin(chunk: Buffer): Engine {
    const engine = this.#open(chunk[0])
    this.#engine = engine
    this.#ended = false
    engine.on('data', (decoded: Buffer) => {
      if (!this.push(decoded)) engine.pause()
    })
    engine.on('error', (error: Error) => this.destroy(error))
    return engine
  }
}
