/** A file in the simulated store, in all the versions it ever had. */
import * as zlib from 'node:zlib'
import type { SeededRandom } from './seeded-random.ts'
import type { Content } from './untrusted-content.ts'

export interface Encoding {
  /** The value of `Content-Encoding`. */
  name: string
  encode: (bytes: Buffer) => Buffer
  /** Whether a client can undo it; if not, it keeps the bytes as they came, with a warning. */
  known: boolean
}

// Brotli's best takes a second for a large file.
const quickly = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }

const encodings: readonly (readonly [weight: number, Encoding])[] = [
  [4, known('identity', (bytes) => bytes)],
  [1, known('gzip', (bytes) => zlib.gzipSync(bytes))],
  [0.3, known('x-gzip', (bytes) => zlib.gzipSync(bytes))],
  [1.6, known('deflate', (bytes) => zlib.deflateSync(bytes))],
  [1, known('br', (bytes) => zlib.brotliCompressSync(bytes, quickly))],
  [0.6, unknown('zstd')],
  [0.6, unknown('utf-8')],
  [0.6, unknown('aws-chunked')],
  [0.6, unknown('zstd-of-tomorrow')],
]

function known(name: string, encode: Encoding['encode']): Encoding {
  return { name, encode, known: true }
}

function unknown(name: string): Encoding {
  return { name, encode: (bytes) => bytes, known: false }
}

/** What a request gets bytes of. */
export interface Representation {
  bytes: Buffer
  etag: string | undefined
  headers: Record<string, string>
}

export class StoredObject {
  readonly encoding: Encoding
  /** Contents that a faithful copy may have. */
  readonly versions: Buffer[]
  readonly #mediaType: string
  readonly #tags: 'strong' | 'weak' | 'none'

  constructor({ mediaType, bytes }: Content, random: SeededRandom) {
    this.#mediaType = mediaType
    this.versions = [bytes]
    this.encoding = random.weigh(encodings)
    this.#tags = random.weigh([
      [6, 'strong'],
      [1, 'weak'],
      [1, 'none'],
    ])
  }

  /** The file is overwritten. */
  change(): void {
    this.versions.push(Buffer.from(`version ${this.versions.length}\n`.repeat(20)))
  }

  represent(): Representation {
    const { name, encode } = this.encoding
    const bytes = encode(this.versions.at(-1) ?? Buffer.alloc(0))
    const tag = `"v${this.versions.length}-${name}"`
    const etag = { strong: tag, weak: `W/${tag}`, none: undefined }[this.#tags]
    const headers = {
      ...(this.#mediaType && { 'content-type': this.#mediaType }),
      ...(name !== 'identity' && { 'content-encoding': name }),
      ...(etag && { etag }),
    }
    return { bytes, etag, headers }
  }
}
