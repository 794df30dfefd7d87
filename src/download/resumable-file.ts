/** A file that a broken download can continue through another link, or start over. */
import { rename, rm, stat } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { addAbortSignal, type Transform, type Writable } from 'node:stream'
import { createWriteStream } from 'node:fs'
import { finished, pipeline } from 'node:stream/promises'
import { messageOf } from '../errors.ts'
import { decodingFor } from '../service/content-encoding.ts'
import {
  continuesVersion,
  rangeOf,
  resumptionHeaders,
  versionOf,
  type FileVersion,
} from './partial-content.ts'

/** The disk cannot store the file; `cause` says why. Another link does not help. */
export class UnwritableFile extends Error {
  override readonly name = 'UnwritableFile'
}

/** For each response of the store: call `begin`, then `write` for each chunk, then `complete`. */
export class ResumableFile {
  readonly path: string
  /** Bytes received over the network, before decoding. A resumption continues here. */
  received = 0
  /** The content encoding that could not be decoded, if there is one. Untrusted. */
  unknownEncoding: string | undefined
  readonly #signal: AbortSignal | undefined
  #version: FileVersion | undefined
  #sink: Sink | undefined

  /** `signal` ends all decoding and writing. */
  constructor(path: string, signal?: AbortSignal) {
    this.path = path
    this.#signal = signal
  }

  /** Returns the headers that request the rest of the file. Empty to request the whole file. */
  resumption(): Record<string, string> {
    return resumptionHeaders(this.#version, this.received)
  }

  /**
   * Begins with a response: 206 continues the file, any other status starts over. Rejects, and
   * starts over, if a part does not continue the file.
   */
  async begin(status: number, headers: IncomingHttpHeaders): Promise<void> {
    const version = this.#version
    if (status === 206 && version && continuesVersion(headers, version, this.received)) {
      // If the first response had no length, this one may name it.
      version.total ??= rangeOf(headers).total
      return
    }
    await this.discard()
    if (status === 206) throw new Error('the store sent a part that does not continue the file')
    this.#version = versionOf(headers)
    const { decoder, unknown } = await decodingFor(headers['content-encoding'])
    this.unknownEncoding = unknown
    this.#sink = openSink(this.path, decoder)
    if (this.#signal) addAbortSignal(this.#signal, this.#sink.stream)
  }

  /**
   * Resolves when the chunk was accepted. Rejects, and starts over, if the decoder or the disk
   * fails. All later methods do the same. The error of a disk is {@link UnwritableFile}.
   */
  async write(chunk: Buffer): Promise<void> {
    const stream = this.#sink?.stream
    if (!stream) throw new Error('nothing has begun')
    this.received += chunk.length
    await this.#orStartOver(() => writeTo(stream, chunk))
  }

  /**
   * Ends the file. Rejects if bytes are missing, which a resumption may bring. Rejects, and starts
   * over, if the bytes cannot be decoded or written.
   */
  async complete(): Promise<void> {
    const total = this.#version?.total
    if (total !== undefined && total !== this.received) {
      throw new Error(`${String(this.received)} of ${String(total)} bytes arrived`)
    }
    await this.#orStartOver(async () => {
      this.#sink?.stream.end()
      await this.#sink?.done
    })
  }

  /** Gives the complete file its final name. Resolves with its size in bytes. */
  async keepAs(finalPath: string): Promise<number> {
    return this.#orStartOver(async () => {
      await rename(this.path, finalPath)
      const { size } = await stat(finalPath)
      return size
    })
  }

  async #orStartOver<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      await this.discard()
      // Only the disk makes system calls. A decoder makes none.
      const isOfDisk = typeof error === 'object' && error !== null && 'syscall' in error
      if (!isOfDisk) throw error
      throw new UnwritableFile(`${this.path}: ${messageOf(error)}`, { cause: error })
    }
  }

  /** Forgets and removes all received bytes. Never rejects. */
  async discard(): Promise<void> {
    this.#sink?.stream.destroy()
    await this.#sink?.done.catch(() => undefined)
    this.#sink = this.#version = undefined
    this.received = 0
    // A file that cannot be removed is overwritten, or stays for the runner to clean up.
    await rm(this.path, { force: true }).catch(() => undefined)
  }
}

interface Sink {
  stream: Writable
  /** Settles when all bytes are decoded and on the disk, or when that failed. */
  done: Promise<void>
}

function openSink(path: string, decoder: Transform | undefined): Sink {
  const file = createWriteStream(path)
  const done = decoder ? pipeline(decoder, file) : finished(file)
  // The caller that waits for `done` sees the error. Until then it must not count as an unhandled
  // rejection.
  done.catch(() => undefined)
  return { stream: decoder ?? file, done }
}

/** A decoder that cannot decode a chunk never calls back. It only emits `close`. */
function writeTo(stream: Writable, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(stream.errored ?? new Error('the file was closed'))
    stream.once('close', fail)
    stream.write(chunk, (error) => {
      stream.off('close', fail)
      if (error) reject(error)
      else resolve()
    })
  })
}
