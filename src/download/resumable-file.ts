/** A resumable file: a download that may break off, go on through another link, or start over. */
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

/** The disk does not take the file, as `cause` says: no other link can mend that. */
export class UnwritableFile extends Error {
  override readonly name = 'UnwritableFile'
}

/** For each answer of the store: `begin` with its head, `write` each chunk, then `complete`. */
export class ResumableFile {
  readonly path: string
  /** Bytes received over the wire, encoded as they came: where a resumption goes on. */
  received = 0
  /** The encoding, untrusted, that is not supported: the bytes on the disk are still in it. */
  unknownEncoding: string | undefined
  readonly #signal: AbortSignal | undefined
  #version: FileVersion | undefined
  #sink: Sink | undefined

  /** `signal` ends whatever is still being decoded or written. */
  constructor(path: string, signal?: AbortSignal) {
    this.path = path
    this.#signal = signal
  }

  /** The request headers that ask for the rest; none where the whole must be asked for. */
  resumption(): Record<string, string> {
    return resumptionHeaders(this.#version, this.received)
  }

  /**
   * Takes the head of an answer: 206 goes on where the file stopped, anything else starts over.
   * Rejects, and starts over, where a part does not continue the file.
   */
  async begin(status: number, headers: IncomingHttpHeaders): Promise<void> {
    const version = this.#version
    if (status === 206 && version && continuesVersion(headers, version, this.received)) {
      // If the first answer had no length, the rest names it.
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
   * Resolves when the chunk was taken. Rejects, and starts over, where decoder or disk fail; with
   * {@link UnwritableFile} where it was the disk, as all that follows.
   */
  async write(chunk: Buffer): Promise<void> {
    const stream = this.#sink?.stream
    if (!stream) throw new Error('nothing has begun')
    this.received += chunk.length
    await this.#orStartOver(() => writeTo(stream, chunk))
  }

  /**
   * Ends the file. Rejects where bytes are missing, which a resumption may bring, and, starting
   * over, where they cannot be decoded or written.
   */
  async complete(): Promise<void> {
    const total = this.#version?.total
    if (total !== undefined && total !== this.received) {
      throw new Error(`${String(this.received)} of ${String(total)} bytes came`)
    }
    await this.#orStartOver(async () => {
      this.#sink?.stream.end()
      await this.#sink?.done
    })
  }

  /** Gives the complete file its final name. Resolves with its bytes. */
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
      // A decoder makes no call of the system.
      const isOfDisk = typeof error === 'object' && error !== null && 'syscall' in error
      if (!isOfDisk) throw error
      throw new UnwritableFile(`${this.path}: ${messageOf(error)}`, { cause: error })
    }
  }

  /** Forgets what was received, and removes it from the disk. Never rejects. */
  async discard(): Promise<void> {
    this.#sink?.stream.destroy()
    await this.#sink?.done.catch(() => undefined)
    this.#sink = this.#version = undefined
    this.received = 0
    // What cannot be removed is written over, or left to the runner.
    await rm(this.path, { force: true }).catch(() => undefined)
  }
}

interface Sink {
  stream: Writable
  /** Settles when all bytes are decoded and on the disk, or cannot be. */
  done: Promise<void>
}

function openSink(path: string, decoder: Transform | undefined): Sink {
  const file = createWriteStream(path)
  const done = decoder ? pipeline(decoder, file) : finished(file)
  // Whoever waits for `done` sees the error; until then it must not count as unhandled.
  done.catch(() => undefined)
  return { stream: decoder ?? file, done }
}

/** A decoder that cannot read a chunk never calls back: it closes. */
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
