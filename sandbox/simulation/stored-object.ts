/** Simulates a file in the store, with all its versions. */
import * as zlib from 'node:zlib'
import type { SeededRandom } from './seeded-random.ts'
import type { Deviation } from './store-faults.ts'
import type { Content } from './untrusted-content.ts'

interface Encoding {
  /** The value of `Content-Encoding`. */
  name: string
  encode: (bytes: Buffer) => Buffer
  /** True if the product can decode the file. Otherwise, it keeps the bytes and logs a line. */
  known: boolean
}

// The default quality of Brotli takes a second for a large file.
const quickly = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }

const encodings: readonly (readonly [weight: number, Encoding])[] = [
  [4, known('identity', (bytes) => bytes)],
  [1, known('gzip', (bytes) => zlib.gzipSync(bytes))],
  [1, known('br', brotli)],
  [0.6, known('utf-8', (bytes) => bytes)],
  [0.6, known('aws-chunked, gzip', (bytes) => zlib.gzipSync(bytes))],
  [0.6, known('br, deflate', (bytes) => zlib.deflateRawSync(brotli(bytes)))],
  [0.6, unknown('zstd')],
  [0.6, unknown('gzip, zstd')],
]

function brotli(bytes: Buffer): Buffer {
  return zlib.brotliCompressSync(bytes, quickly)
}

function known(name: string, encode: Encoding['encode']): Encoding {
  return { name, encode, known: true }
}

function unknown(name: string): Encoding {
  return { name, encode: (bytes) => bytes, known: false }
}

export class StoredObject {
  readonly encoding: Encoding
  /** The content of each version. A downloaded file must equal one of these versions. */
  readonly versions: Buffer[]
  /** True if answers name the length of the file. */
  readonly namesLength: boolean
  readonly #mediaType: string

  constructor({ mediaType, bytes }: Content, random: SeededRandom) {
    this.#mediaType = mediaType
    this.versions = [bytes]
    this.encoding = random.weigh(encodings)
    this.namesLength = random.fork(`length of ${bytes.length}`).chance(0.85)
  }

  /** Answers a request for the file. */
  serve(deviation: Deviation): Served {
    if (deviation === 'changed') this.#change()
    const { name, encode, known: isKnown } = this.encoding
    const bytes = encode(this.versions.at(-1) ?? Buffer.alloc(0))
    const isEncoded = name !== 'identity'
    const isLengthNamed = this.namesLength && deviation !== 'no-length'
    const headers = {
      ...(this.#mediaType && { 'content-type': this.#mediaType }),
      ...(isEncoded && { 'content-encoding': name }),
      ...(isLengthNamed && { 'content-length': String(bytes.length) }),
    }
    const isBroken = deviation === 'broken' && isKnown && !['identity', 'utf-8'].includes(name)
    return { status: 200, headers, bytes: isBroken ? damaged(bytes) : bytes }
  }

  #change(): void {
    this.versions.push(Buffer.from(`version ${this.versions.length}\n`.repeat(20)))
  }
}

export interface Served {
  status: number
  headers: Record<string, string>
  bytes: Buffer
}

/** Damages the first bytes, because some decoders would not notice damage in the middle. */
function damaged(served: Buffer): Buffer {
  const bytes = Buffer.from(served)
  bytes.subarray(0, 8).fill(0x00)
  return bytes
}

export function refuse(status: number, headers: Record<string, string>): Served {
  const body = status === 204 ? '' : '<Error><Code>AccessDenied</Code></Error>'
  return { status, headers, bytes: Buffer.from(body) }
}
