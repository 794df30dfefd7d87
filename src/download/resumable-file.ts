/** Writes a downloaded file. After a broken response, the next response can continue the file. */
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

/** Thrown if the disk cannot store the file. `cause` says why. A new link would not help. */
export class UnwritableFile extends Error {
  override readonly name = 'UnwritableFile'
}

/** For each response, call `begin` once, then `write` for each chunk, and finally `complete`. */
export class ResumableFile {
  readonly path: string
  /** The number of bytes received, before decoding. The next response continues at this byte. */
  received = 0
  /** The content encoding (untrusted), if it is not supported. The file then remains encoded. */
  unknownEncoding: string | undefined
  readonly #signal: AbortSignal | undefined
  #version: FileVersion | undefined
  #sink: Sink | undefined

  /** When `signal` aborts, decoding and writing stop. */
  constructor(path: string, signal?: AbortSignal) {
    this.path = path
    this.#signal = signal
  }

  /** Returns the headers that request the missing bytes, or no headers for the complete file. */
  resumption(): Record<string, string> {
    return resumptionHeaders(this.#version, this.received)
  }

  /**
   * Prepares for the body of a response. With status 206, the body must continue the file. If its
   * range or version does not match, discards all received bytes and rejects. With any other
   * status, the body replaces the file.
   */
  async begin(status: number, headers: IncomingHttpHeaders): Promise<void> {
    const version = this.#version
    if (status === 206 && version && continuesVersion(headers, version, this.received)) {
      // The first response may have no total length. A partial response may then name the length.
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
   * Decodes and writes a chunk. If decoding or writing fails, discards all received bytes and
   * rejects. The error for a failed disk is {@link UnwritableFile}.
   */
  async write(chunk: Buffer): Promise<void> {
    const stream = this.#sink?.stream
    if (!stream) throw new Error('nothing has begun')
    this.received += chunk.length
    await this.#orStartOver(() => writeTo(stream, chunk))
  }

  /**
   * Ends the file. If bytes are missing, rejects, and the next response can continue the file. If
   * decoding or writing fails, discards all received bytes and rejects.
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

  /** Renames the complete file to `finalPath`. Returns the size of the file in bytes. */
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
      // An error with `syscall` comes from the disk, because decoders make no system calls.
      const isOfDisk = typeof error === 'object' && error !== null && 'syscall' in error
      if (!isOfDisk) throw error
      throw new UnwritableFile(`${this.path}: ${messageOf(error)}`, { cause: error })
    }
  }

  /** Removes all received bytes, so that the download can start again. Never rejects. */
  async discard(): Promise<void> {
    this.#sink?.stream.destroy()
    await this.#sink?.done.catch(() => undefined)
    this.#sink = this.#version = undefined
    this.received = 0
    // If the removal fails, the next response overwrites the file, or the runner removes it later.
    await rm(this.path, { force: true }).catch(() => undefined)
  }
}

interface Sink {
  stream: Writable
  /** The promise resolves when all bytes are written, and rejects if decoding or writing fails. */
  done: Promise<void>
}

function openSink(path: string, decoder: Transform | undefined): Sink {
  const file = createWriteStream(path)
  const done = decoder ? pipeline(decoder, file) : finished(file)
  // Keeps Node from reporting an unhandled rejection before a caller waits for `done`.
  done.catch(() => undefined)
  return { stream: decoder ?? file, done }
}

/** Writes a chunk. Also listens to `close`, because a failed decoder never calls the callback. */
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
