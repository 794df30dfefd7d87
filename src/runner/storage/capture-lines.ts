/**
 * What a client of the toolkit prints, kept apart from what everybody else prints. The clients
 * write to the standard streams and to nothing else, and what a call came to is often told there
 * alone. Several calls may run at once: a line belongs to the call whose asynchronous context it
 * was written in.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { StringDecoder } from 'node:string_decoder'
import type { OnLine } from './client-line.ts'

/** Runs a task; every line that it prints goes to `onLine` and not to the stream. */
export type CaptureLines = <Result>(onLine: OnLine, task: () => Promise<Result>) => Promise<Result>

/** Takes over `write` of the streams; what is written outside of a task passes as before. */
export function captureLinesOf(streams: readonly NodeJS.WritableStream[]): CaptureLines {
  const storage = new AsyncLocalStorage<LineSplitter>()
  for (const stream of streams) {
    const write = stream.write.bind(stream) as (
      chunk: string | Uint8Array,
      ...rest: unknown[]
    ) => boolean
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      const splitter = storage.getStore()
      if (!splitter) return write(chunk, ...rest)
      splitter.write(chunk)
      const done = rest.at(-1)
      if (typeof done === 'function') queueMicrotask(() => void Reflect.apply(done, stream, []))
      return true
    }
  }
  return async (onLine, task) => {
    const splitter = new LineSplitter(onLine)
    try {
      return await storage.run(splitter, task)
    } finally {
      splitter.end()
    }
  }
}

class LineSplitter {
  readonly #onLine: OnLine
  readonly #decoder = new StringDecoder()
  #rest = ''

  constructor(onLine: OnLine) {
    this.#onLine = onLine
  }

  write(chunk: string | Uint8Array): void {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk))
    const lines = (this.#rest + text).split(/\r?\n/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#onLine(line)
  }

  end(): void {
    if (this.#rest !== '') this.#onLine(this.#rest)
    this.#rest = ''
  }
}
