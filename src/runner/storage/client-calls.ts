/**
 * Calls of GitHub's clients. The clients print to the standard streams, and what a call came to is
 * often printed there alone; an error in one of their event handlers is thrown where nobody catches
 * it. Both are attributed to a call by the asynchronous context that they come from, so several
 * calls may run at once.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { StringDecoder } from 'node:string_decoder'

/** Gets a line as a client printed it. */
export type OnLine = (line: string) => void

interface Call {
  lines: LineSplitter
  fail: (error: unknown) => void
}

export class ClientCalls {
  readonly #current = new AsyncLocalStorage<Call | undefined>()

  /** Takes over `write` of the streams; what is written outside of a call passes as before. */
  constructor(streams: readonly NodeJS.WritableStream[]) {
    for (const stream of streams) this.#capture(stream)
  }

  /** Every line that `task` prints goes to `onLine` and not to the stream. */
  async run<Result>(onLine: OnLine, task: () => Promise<Result>): Promise<Result> {
    const { promise: broken, reject } = Promise.withResolvers<never>()
    // What `onLine` prints itself belongs to no call.
    const lines = new LineSplitter((line) => this.#current.run(undefined, () => onLine(line)))
    try {
      return await Promise.race([this.#current.run({ lines, fail: reject }, task), broken])
    } finally {
      lines.end()
    }
  }

  /** Ends the call in whose context this runs with an error; false where this is in none. */
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

/** A line with the workflow command that it is: `info` for one that is none. */
export interface ClientLine {
  command: string
  text: string
}

export function readClientLine(line: string): ClientLine {
  const [, command, text = ''] = /^::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? []
  return command === undefined ? { command: 'info', text: line } : { command, text: plain(text) }
}

/** As the toolkit escapes a command's text; `%25` last, so that `%250A` stays the text `%0A`. */
function plain(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}
