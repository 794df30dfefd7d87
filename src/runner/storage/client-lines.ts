/**
 * What a client of the toolkit prints, kept apart from what everybody else prints. The clients
 * write to the standard streams and to nothing else, and what a call came to is often told there
 * alone. Several calls may run at once: a line belongs to the call whose asynchronous context it
 * was written in.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { StringDecoder } from 'node:string_decoder'

/** A line as printed. */
export type OnLine = (line: string) => void

/** Runs a task; every line that it prints goes to `onLine` and not to the stream. */
export type CaptureLines = <Result>(onLine: OnLine, task: () => Promise<Result>) => Promise<Result>

/** A line with the workflow command that it is: `info` for one that is none. */
export interface ClientLine {
  command: string
  text: string
}

export function readClientLine(line: string): ClientLine {
  const [, command, text = ''] = /^::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? []
  return command === undefined ? { command: 'info', text: line } : { command, text: plain(text) }
}

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

/** As the toolkit escapes a command's text; `%25` last, so that `%250A` stays the text `%0A`. */
function plain(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}
