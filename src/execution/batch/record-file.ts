/** The records of a batch on the disk: written as they come, read back in the order of the seeds. */
import { open, type FileHandle } from 'node:fs/promises'
import type { RunRecord } from './record.ts'

/** Bytes that are gathered before they are written. */
const chunkSize = 64 * 1024

export class RecordFile implements AsyncDisposable {
  readonly #file: FileHandle
  readonly #starts: Float64Array
  readonly #lengths: Uint32Array
  #size = 0
  #pending: Buffer[] = []
  #pendingSize = 0
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
    this.#starts[position] = this.#size
    this.#lengths[position] = line.length
    this.#size += line.length
    this.#pending.push(line)
    this.#pendingSize += line.length
    if (this.#pendingSize >= chunkSize) await this.#flush()
  }

  /** In the order of the seeds, one at a time. */
  async *read(): AsyncGenerator<RunRecord> {
    await this.#flush()
    for (const [position, length] of this.#lengths.entries()) {
      if (length === 0) continue
      const line = Buffer.allocUnsafe(length)
      await this.#file.read(line, 0, length, this.#starts[position] ?? 0)
      yield JSON.parse(line.toString('utf8')) as RunRecord
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }

  async #flush(): Promise<void> {
    const chunk = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingSize = 0
    this.#written = this.#written.then(() => this.#file.appendFile(chunk))
    await this.#written
  }
}
