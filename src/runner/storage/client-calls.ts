/**
 * Runs calls of GitHub's clients. The clients often report the outcome only on the standard
 * streams, and they throw some errors in event handlers, where nobody catches them. The
 * asynchronous context tells to which call a line or an error belongs, so several calls may run at
 * once.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { StringDecoder } from 'node:string_decoder'

/** Receives each line that a client prints. */
export type OnLine = (line: string) => void

interface Call {
  lines: LineSplitter
  fail: (error: unknown) => void
}

export class ClientCalls {
  readonly #current = new AsyncLocalStorage<Call | undefined>()

  /** Replaces `write` of the streams. Text written outside of a call still goes to the stream. */
  constructor(streams: readonly NodeJS.WritableStream[]) {
    for (const stream of streams) this.#capture(stream)
  }

  /** Passes every line that `task` prints to `onLine` instead of the stream. */
  async run<Result>(onLine: OnLine, task: () => Promise<Result>): Promise<Result> {
    const { promise: broken, reject } = Promise.withResolvers<never>()
    // Lines that `onLine` itself prints belong to no call.
    const lines = new LineSplitter((line) => this.#current.run(undefined, () => onLine(line)))
    try {
      return await Promise.race([this.#current.run({ lines, fail: reject }, task), broken])
    } finally {
      lines.end()
    }
  }

  /** Rejects the call in whose context this runs. Returns false outside of a call. */
  fail(error: unknown): boolean {
    const call = this.#current.getStore()
    call?.fail(error)
    return call !== undefined
  }

  #capture(stream: NodeJS.WritableStream): void {
    const write = stream.write.bind(stream) as (
      chunk: string | Uint8Array,
      ...rest: unknown[]
    ) => boolean
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      const call = this.#current.getStore()
      if (!call) return write(chunk, ...rest)
      call.lines.write(chunk)
      const done = rest.at(-1)
      if (typeof done === 'function') queueMicrotask(() => void Reflect.apply(done, stream, []))
      return true
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

/**
 * A printed line, split into workflow command and text. The command is `info` if the line has none.
 */
export interface ClientLine {
  command: string
  text: string
}

export function readClientLine(line: string): ClientLine {
  const [, command, text = ''] = /^::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? []
  return command === undefined ? { command: 'info', text: line } : { command, text: plain(text) }
}

/** Undoes the escaping of the toolkit. `%25` comes last, so that `%250A` becomes the text `%0A`. */
function plain(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}
