/** The records of a batch on the disk: written as they come, read back in the order of the seeds. */
import { open, type FileHandle } from 'node:fs/promises'
import type { RunRecord } from './record.ts'

/** Bytes that are gathered before they are written. */
const chunkSize = 64 * 1024

export class RecordFile implements AsyncDisposable {
  readonly #file: FileHandle
  readonly #starts: Float64Array
  readonly #lengths: Uint32Array
  /** Bytes on the disk. */
  #size = 0
  /** What is not on the disk, by its position in the list. */
  readonly #pending = new Map<number, Buffer>()
  #pendingSize = 0
  #writeAt = chunkSize
  #written: Promise<void> = Promise.resolve()

  private constructor(file: FileHandle, count: number) {
    this.#file = file
    this.#starts = new Float64Array(count)
    this.#lengths = new Uint32Array(count)
  }

  /** A new file for so many records. */
  static async create(path: string, count: number): Promise<RecordFile> {
    return new RecordFile(await open(path, 'w+'), count)
  }

  /** `position`: the seed's in the list. Resolves when there is room for the next one. */
  async append(position: number, record: RunRecord): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(record)}\n`)
    this.#pending.set(position, line)
    this.#pendingSize += line.length
    if (this.#pendingSize < this.#writeAt) return
    this.#written = this.#written.then(() => this.#writePending())
    await this.#written
  }

  /** In the order of the seeds, one at a time. */
  async *read(): AsyncGenerator<RunRecord> {
    await this.#written
    for (const [position, length] of this.#lengths.entries()) {
      const line = this.#pending.get(position) ?? (await this.#lineAt(position, length))
      if (line.length > 0) yield JSON.parse(line.toString('utf8')) as RunRecord
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }

  async #lineAt(position: number, length: number): Promise<Buffer> {
    const line = Buffer.allocUnsafe(length)
    await this.#file.read(line, 0, length, this.#starts[position] ?? 0)
    return line
  }

  /**
   * What the disk has no room for stays in memory: without the records nobody would learn what the
   * runs came to. Never rejects.
   */
  async #writePending(): Promise<void> {
    // None where a write before this one has taken all.
    const lines = [...this.#pending]
    const chunk = Buffer.concat(lines.map(([, line]) => line))
    try {
      let done = 0
      while (done < chunk.length) {
        done += (await this.#file.write(chunk, done, chunk.length - done, this.#size + done))
          .bytesWritten
      }
    } catch {
      this.#writeAt = this.#pendingSize + chunkSize
      return
    }
    for (const [position, line] of lines) {
      this.#starts[position] = this.#size
      this.#lengths[position] = line.length
      this.#size += line.length
      this.#pending.delete(position)
    }
    this.#pendingSize -= chunk.length
    this.#writeAt = chunkSize
  }
}
