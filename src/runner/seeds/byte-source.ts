/** The bytes of a list of seeds: of an input, or of a file that may be larger than the memory. */
import type { FileHandle } from 'node:fs/promises'
import { describeReadProblem, openToRead } from '../readable-file.ts'

export interface ByteRange {
  start: number
  /** The offset behind the last byte. */
  end: number
}

export interface ByteSource {
  /** All bytes from an offset on. A chunk is good until the next one is asked for. */
  chunks(from: number): AsyncIterable<Buffer> | Iterable<Buffer>
  /** Fewer bytes where the source ends before the range does. */
  read(range: ByteRange): Promise<Buffer>
  /** A use after it begins anew. */
  close(): Promise<void>
}

/** What keeps a file from being read, in words for people. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

export function textSource(text: string): ByteSource {
  const bytes = Buffer.from(text)
  return {
    chunks: (from) => [bytes.subarray(from)],
    read: ({ start, end }) => Promise.resolve(bytes.subarray(start, end)),
    close: () => Promise.resolve(),
  }
}

const chunkSize = 256 * 1024

/** Opens the file at its first use, and keeps it open until it is closed. */
export class FileSource implements ByteSource {
  readonly #file: string
  #opened: Promise<FileHandle> | undefined

  constructor(file: string) {
    this.#file = file
  }

  async *chunks(from: number): AsyncGenerator<Buffer> {
    const buffer = Buffer.alloc(chunkSize)
    for (let at = from; ;) {
      const length = await this.#fill(buffer, at)
      if (length === 0) return
      yield buffer.subarray(0, length)
      at += length
    }
  }

  async read({ start, end }: ByteRange): Promise<Buffer> {
    const buffer = Buffer.alloc(end - start)
    return buffer.subarray(0, await this.#fill(buffer, start))
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    const file = await opened?.catch(() => undefined)
    await file?.close()
  }

  /** One read may bring less than there is. */
  async #fill(buffer: Buffer, position: number): Promise<number> {
    try {
      const file = await (this.#opened ??= openToRead(this.#file))
      let filled = 0
      while (filled < buffer.length) {
        const rest = buffer.length - filled
        const { bytesRead } = await file.read(buffer, filled, rest, position + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return filled
    } catch (error) {
      throw new UnreadableFile(describeReadProblem(error), { cause: error })
    }
  }
}
