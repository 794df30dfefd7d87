/** A file in the simulated store, in all the versions it ever had. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import type { Dice } from './dice.ts'
import type { Content } from './hostile.ts'
import type { OddEncoding } from './odd-encodings.ts'

// Its best takes a second for a large file.
const quickly = { [constants.BROTLI_PARAM_QUALITY]: 1 }

const encoders = {
  identity: (bytes: Buffer) => bytes,
  gzip: (bytes: Buffer) => gzipSync(bytes),
  'x-gzip': (bytes: Buffer) => gzipSync(bytes),
  deflate: (bytes: Buffer) => deflateSync(bytes),
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: quickly }),
}
type Encoding = keyof typeof encoders

/** What a request gets bytes of. */
export interface Representation {
  bytes: Buffer
  etag: string | undefined
  headers: Record<string, string>
}

export class StoredObject {
  /** Sent in this encoding instead of a usual one. */
  readonly odd: OddEncoding | undefined
  readonly #mediaType: string
  readonly #versions: Buffer[]
  readonly #encoding: Encoding
  readonly #tags: 'strong' | 'weak' | 'none'

  constructor({ mediaType, bytes }: Content, dice: Dice, odd: OddEncoding | undefined) {
    this.odd = odd
    this.#mediaType = mediaType
    this.#versions = [bytes]
    this.#encoding = dice.weigh([
      [4, 'identity'],
      [1, 'gzip'],
      [0.3, 'x-gzip'],
      [1, 'deflate'],
      [1, 'br'],
    ])
    this.#tags = dice.weigh([
      [6, 'strong'],
      [1, 'weak'],
      [1, 'none'],
    ])
  }

  /** Contents that a faithful copy may have. */
  get versions(): readonly Buffer[] {
    return this.#versions
  }

  /** Someone writes the file anew. */
  change(): void {
    this.#versions.push(Buffer.from(`version ${this.#versions.length}\n`.repeat(20)))
  }

  represent(): Representation {
    const content = this.#versions.at(-1) ?? Buffer.alloc(0)
    const encoding = this.odd?.name ?? this.#encoding
    const bytes = this.odd ? this.odd.encode(content) : encoders[this.#encoding](content)
    const tag = `"v${this.#versions.length}-${encoding}"`
    const etag = { strong: tag, weak: `W/${tag}`, none: undefined }[this.#tags]
    const headers = {
      ...(this.#mediaType && { 'content-type': this.#mediaType }),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      ...(etag && { etag }),
    }
    return { bytes, etag, headers }
  }
}
