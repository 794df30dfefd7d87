import type { Busy } from './lifetime.ts'

/**
 * A body that comes chunk by chunk. Whoever reads it is busy from one chunk until it asks for the
 * next, which is how decoders and disks get the real time they need.
 */
export class StoreBody implements AsyncIterable<Buffer> {
  readonly #chunks: AsyncGenerator<Buffer>
  readonly #busy: Busy
  #reading = false
  #closed = false

  constructor(chunks: AsyncGenerator<Buffer>, busy: Busy) {
    this.#chunks = chunks
    this.#busy = busy
    this.#setReading(true)
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return {
      next: async () => {
        this.#setReading(false)
        try {
          return await this.#chunks.next()
        } finally {
          this.#setReading(true)
        }
      },
      return: () => {
        return Promise.resolve({ done: true, value: undefined })
      },
    }
  }

  close(): void {
    this.#setReading(false)
    this.#closed = true
  }

  #setReading(reading: boolean): void {
    if (this.#closed || reading === this.#reading) return
    this.#reading = reading
    if (reading) this.#busy.begin()
    else this.#busy.end()
  }
}
