/** A file that grows from a download which may be cut, go on elsewhere, or start over. */
import { rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { addAbortSignal } from 'node:stream'
import { decodingFor } from '../service/content-encoding.ts'
import { openSink, writeTo, type Sink } from './sink.ts'

/** What must stay the same for bytes of one answer to continue those of another. */
interface Version {
  etag: string | undefined
  encoding: string | undefined
  total: number | undefined
}

export class ResumableFile {
  readonly path: string
  /** Bytes received over the wire, encoded as they came: where a resumption goes on. */
  received = 0
  /** The encoding, untrusted, that isn't understood: the bytes on the disk are still in it. */
  unknownEncoding: string | undefined
  readonly #signal: AbortSignal | undefined
  #version: Version | undefined
  #sink: Sink | undefined

  /** `signal` ends whatever is still being decoded or written. */
  constructor(path: string, signal?: AbortSignal) {
    this.path = path
    this.#signal = signal
  }

  /** The headers that ask for the rest, where the store's ETag makes that safe. */
  resumption(): Record<string, string> {
    const etag = this.#version?.etag
    // A weak ETag promises the same meaning, not the same bytes (RFC 9110, 8.8.1 and 8.8.3).
    if (this.received === 0 || !etag || !strongTag.test(etag)) return {}
    return { range: `bytes=${String(this.received)}-`, 'if-range': etag }
  }

  /** Takes the head of an answer: 206 goes on where it stopped, anything else starts over. */
  async begin(status: number, headers: IncomingHttpHeaders): Promise<void> {
    if (status === 206 && this.#version && this.#continues(headers)) {
      // Where the first answer had no length, the rest tells it.
      this.#version.total ??= rangeOf(headers).total
      return
    }
    await this.discard()
    if (status === 206) throw new Error('the store sent another part than the one asked for')
    this.#version = {
      etag: headers.etag,
      encoding: headers['content-encoding'],
      total: numberOf(headers['content-length']),
    }
    const { decoders, unknown } = await decodingFor(headers['content-encoding'])
    this.unknownEncoding = unknown
    this.#sink = openSink(this.path, decoders)
    if (this.#signal) addAbortSignal(this.#signal, this.#sink.stream)
  }

  async write(chunk: Buffer): Promise<void> {
    const stream = this.#sink?.stream
    if (!stream) throw new Error('nothing has begun')
    this.received += chunk.length
    remindCollector()
    try {
      await writeTo(stream, chunk)
    } catch (error) {
      await this.discard()
      throw error
    }
  }

  /** Ends the file. Rejects when bytes are missing, which a resumption may bring, or broken. */
  async complete(): Promise<void> {
    const total = this.#version?.total
    if (total !== undefined && total !== this.received) {
      throw new Error(`${String(this.received)} of ${String(total)} bytes came`)
    }
    try {
      this.#sink?.stream.end()
      await this.#sink?.done
    } catch (error) {
      await this.discard()
      throw error
    }
  }

  /** Forgets what came, and removes it from the disk. */
  async discard(): Promise<void> {
    this.#sink?.stream.destroy()
    await this.#sink?.done.catch(() => undefined)
    this.#sink = this.#version = undefined
    this.received = 0
    await rm(this.path, { force: true })
  }

  #continues(headers: IncomingHttpHeaders): boolean {
    const range = rangeOf(headers)
    const { etag, encoding, total } = this.#version ?? {}
    return (
      range.from === this.received &&
      (headers.etag ?? etag) === etag &&
      headers['content-encoding'] === encoding &&
      (total === undefined || range.total === undefined || range.total === total)
    )
  }
}

/**
 * A chunk's 64 KB lie outside of V8's heap, which sees a hundred bytes of it and lets chunks pile
 * up to some 64 MB. A little litter inside of the heap makes it look every few megabytes.
 */
function remindCollector(): void {
  new Array<number>(2048).fill(0)
}

const strongTag = /^"[\x21\x23-\x7e\x80-\xff]*"$/

/** Where a part begins, and the bytes of the whole where the store knows them (`*`: it does not). */
function rangeOf(headers: IncomingHttpHeaders): { from?: number; total?: number | undefined } {
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  return from === undefined ? {} : { from: Number(from), total: numberOf(total) }
}

function numberOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined
}
