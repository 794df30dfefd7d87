/** Simulates a file in the store, with all its versions. */
import * as zlib from 'node:zlib'
import type { SeededRandom } from './seeded-random.ts'
import type { Deviation } from './store-faults.ts'
import type { Content } from './untrusted-content.ts'

interface Encoding {
  /** The value of `Content-Encoding`. */
  name: string
  encode: (bytes: Buffer) => Buffer
  /** True if the product can decode the file. Otherwise, it keeps the bytes and warns. */
  known: boolean
}

// The default quality of Brotli takes a second for a large file.
const quickly = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }

const encodings: readonly (readonly [weight: number, Encoding])[] = [
  [4, known('identity', (bytes) => bytes)],
  [1, known('gzip', (bytes) => zlib.gzipSync(bytes))],
  [0.3, known('x-gzip', (bytes) => zlib.gzipSync(bytes))],
  [1.6, known('deflate', (bytes) => zlib.deflateSync(bytes))],
  [1, known('br', (bytes) => zlib.brotliCompressSync(bytes, quickly))],
  [0.6, unknown('zstd')],
  [0.6, unknown('utf-8')],
  [0.6, known('aws-chunked, gzip', (bytes) => zlib.gzipSync(bytes))],
  [0.6, unknown('zstd-of-tomorrow')],
]

function known(name: string, encode: Encoding['encode']): Encoding {
  return { name, encode, known: true }
}

function unknown(name: string): Encoding {
  return { name, encode: (bytes) => bytes, known: false }
}

interface Representation {
  bytes: Buffer
  headers: Record<string, string>
}

export class StoredObject {
  readonly encoding: Encoding
  /** The content of each version. A downloaded file must equal one of these versions. */
  readonly versions: Buffer[]
  /** True if answers contain the size of the whole file, as a length or as the total of a range. */
  readonly namesTotal: boolean
  readonly #mediaType: string
  readonly #tags: 'strong' | 'weak' | 'none'

  constructor({ mediaType, bytes }: Content, random: SeededRandom) {
    this.#mediaType = mediaType
    this.versions = [bytes]
    this.encoding = random.weigh(encodings)
    this.namesTotal = random.fork(`total of ${bytes.length}`).chance(0.85)
    this.#tags = random.weigh([
      [6, 'strong'],
      [1, 'weak'],
      [1, 'none'],
    ])
  }

  /** Adds a new version of the file. */
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
    return { bytes, headers }
  }
}

export interface Served {
  status: number
  headers: Record<string, string>
  bytes: Buffer
}

/** Answers a request for the file or a part of the file (RFC 9110, sections 13 and 14). */
export function answerRange(
  object: StoredObject,
  asked: Record<string, string>,
  deviation: Deviation,
): Served {
  if (deviation === 'changed') object.change()
  const stored = object.represent()
  const from = deviation === 'no-ranges' ? undefined : wantedFrom(asked, stored)
  const served = from === undefined ? whole(stored) : part(stored, from, deviation)
  if (served.status === 206 && !object.namesTotal) hideTotal(served)
  if (deviation === 'no-length' || !object.namesTotal) delete served.headers['content-length']
  return deviation === 'broken' && object.encoding.known ? broken(served) : served
}

/** Returns the first byte of the requested part, or undefined if the whole file must be sent. */
function wantedFrom(
  { range, 'if-range': version }: Record<string, string>,
  { headers: { etag }, bytes }: Representation,
): number | undefined {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? NaN)
  const same = version !== undefined && version === etag && !version.startsWith('W/')
  return same && from < bytes.length ? from : undefined
}

function whole({ bytes, headers }: Representation): Served {
  return { status: 200, bytes, headers: { ...headers, 'content-length': String(bytes.length) } }
}

function part({ bytes, headers }: Representation, from: number, deviation: Deviation): Served {
  const start = deviation === 'another-part' ? Math.max(0, from - 1) : from
  const tail = bytes.subarray(start)
  const last = bytes.length - 1
  return {
    status: 206,
    bytes: deviation === 'another-version' ? Buffer.from(tail).fill(0x21) : tail,
    headers: {
      ...headers,
      ...(deviation === 'another-version' && { etag: '"another"' }),
      'content-range': `bytes ${start}-${last}/${bytes.length}`,
      'content-length': String(tail.length),
    },
  }
}

/** Shortens the answer to half of its bytes and removes the total size, as RFC 9110 allows. */
function hideTotal(served: Served): void {
  const start = Number(/^bytes (\d+)-/.exec(served.headers['content-range'] ?? '')?.[1])
  served.bytes = served.bytes.subarray(0, Math.ceil(served.bytes.length / 2))
  served.headers['content-range'] = `bytes ${start}-${start + served.bytes.length - 1}/*`
}

/** Damages the first bytes, because some decoders would not notice damage in the middle. */
function broken(served: Served): Served {
  if (served.status !== 200 || !('content-encoding' in served.headers)) return served
  const bytes = Buffer.from(served.bytes)
  bytes.subarray(0, 8).fill(0x00)
  return { ...served, bytes }
}

export function refuse(status: number, headers: Record<string, string>): Served {
  const body = status === 204 ? '' : '<Error><Code>AccessDenied</Code></Error>'
  return { status, headers, bytes: Buffer.from(body) }
}
