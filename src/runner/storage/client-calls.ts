/**
 * Runs calls of GitHub's clients and collects the lines and errors of each call. The clients print
 * outcomes to the standard streams, and throw some errors in event handlers. The asynchronous
 * context shows to which call a line or an error belongs, so calls may run in parallel.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import type { Exchange } from './storage-failure.ts'

export type OnLine = (line: string) => void

interface Call {
  lines: LineSplitter
  fail: (error: unknown) => void
  exchanges: Exchange[]
}

/** What became of a call of a client. Either `value` or `error` is set. */
interface CallOutcome<Result> {
  value?: Result
  error?: Error
  lines: readonly ClientLine[]
  exchanges: readonly Exchange[]
}

/** What Node reports about a request: its beginning, and its answer or its error. */
interface Report {
  request: ClientRequest
  response?: IncomingMessage
  error?: Error
}

export class ClientCalls {
  readonly #current = new AsyncLocalStorage<Call | undefined>()

  /** Replaces the `write` method of each stream. Text that no call writes is still printed. */
  constructor(streams: readonly NodeJS.WritableStream[]) {
    for (const stream of streams) this.#capture(stream)
    this.#watchRequests()
  }

  /**
   * Runs `task`. Each line that `task` prints goes to `onLine` instead of the stream. Never rejects:
   * `error` says why the task failed. `exchanges` are the requests of the task.
   */
  async run<Result>(onLine: OnLine, task: () => Promise<Result>): Promise<CallOutcome<Result>> {
    const { promise: broken, reject: fail } = Promise.withResolvers<never>()
    const printed: ClientLine[] = []
    const exchanges: Exchange[] = []
    // `onLine` runs outside of the call, so that lines that `onLine` prints go to the stream.
    const lines = new LineSplitter((line) => {
      printed.push(readClientLine(line))
      this.#current.run(undefined, () => onLine(line))
    })
    try {
      const done = this.#current.run({ lines, fail, exchanges }, task)
      return { value: await Promise.race([done, broken]), lines: printed, exchanges }
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      return { error, lines: printed, exchanges }
    } finally {
      lines.end()
    }
  }

  /** Rejects the call of the current asynchronous context. Returns false if there is no call. */
  fail(error: unknown): boolean {
    const call = this.#current.getStore()
    call?.fail(error)
    return call !== undefined
  }

  /** The clients report neither host nor status of each failure, but Node does. */
  #watchRequests(): void {
    const known = new WeakMap<ClientRequest, Exchange>()
    subscribe('http.client.request.start', (report) => {
      const { request } = report as Report
      const call = this.#current.getStore()
      // A CONNECT belongs to the request that needs the proxy.
      if (!call || request.method === 'CONNECT') return
      const { host, path } = request
      const exchange = { host, path, status: undefined, isWebPage: false, error: undefined }
      call.exchanges.push(exchange)
      known.set(request, exchange)
    })
    subscribe('http.client.response.finish', (report) => {
      const { request, response } = report as Report
      const isWebPage = /html/i.test(response?.headers['content-type'] ?? '')
      const exchange = known.get(request)
      if (exchange) Object.assign(exchange, { status: response?.statusCode, isWebPage })
    })
    subscribe('http.client.request.error', (report) => {
      const { request, error } = report as Report
      const exchange = known.get(request)
      if (exchange) Object.assign(exchange, { error })
    })
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

/** A printed line. `command`: the workflow command of the line, or `info` for any other line. */
export interface ClientLine {
  command: string
  text: string
}

export function readClientLine(line: string): ClientLine {
  const [, command, text = ''] = /^::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? []
  return command === undefined ? { command: 'info', text: line } : { command, text: plain(text) }
}

/** Undoes the toolkit's escaping. Replaces `%25` last, so that `%250A` becomes the text `%0A`. */
function plain(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}
