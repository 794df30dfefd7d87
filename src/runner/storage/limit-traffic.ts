/** Ends what downloads more than it should: GitHub's clients take whatever comes. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Runs a task that may download that many bytes. Rejects as soon as more are announced or come; its
 * connections are cut then.
 */
export type LimitTraffic = <Result>(largest: number, task: () => Promise<Result>) => Promise<Result>

// Milliseconds. What comes in between is more than allowed, and harmless.
const interval = 100
/** Bytes: answers of the API, heads and TLS come besides. */
const overhead = 1_048_576

/** A request belongs to the task in whose asynchronous context it was made. */
export function limitTrafficOfThread(): LimitTraffic {
  const limits = new AsyncLocalStorage<Limit>()
  subscribe('http.client.request.created', (message) => {
    limits.getStore()?.add((message as { request: ClientRequest }).request)
  })
  return async (largest, task) => {
    const limit = new Limit(largest)
    const timer = setInterval(() => limit.check(), interval)
    try {
      return await Promise.race([limits.run(limit, task), limit.exceeded])
    } finally {
      clearInterval(timer)
    }
  }
}

class Limit {
  readonly exceeded: Promise<never>
  readonly #largest: number
  readonly #reject: (error: Error) => void
  /** The connections in use, and what each had brought before this task's request. */
  readonly #before = new Map<Socket, number>()
  /** Bytes of the requests that are over. */
  #done = 0
  #error: Error | undefined

  constructor(largest: number) {
    this.#largest = largest
    const { promise, reject } = Promise.withResolvers<never>()
    this.exceeded = promise
    this.#reject = reject
  }

  add(request: ClientRequest): void {
    request.once('socket', (socket) => {
      this.#before.set(socket, socket.bytesRead)
      // Its next request may be another task's.
      request.once('close', () => this.#forget(socket))
      // The client tries again.
      if (this.#error) socket.destroy(this.#error)
    })
    request.prependOnceListener('response', ({ headers }: IncomingMessage) => {
      if (Number(headers['content-length'] ?? 0) > this.#largest + overhead) this.#exceed()
    })
  }

  check(): void {
    let bytes = this.#done
    for (const [{ bytesRead }, before] of this.#before) bytes += bytesRead - before
    if (bytes > this.#largest + overhead) this.#exceed()
  }

  #forget(socket: Socket): void {
    this.#done += socket.bytesRead - (this.#before.get(socket) ?? socket.bytesRead)
    this.#before.delete(socket)
  }

  #exceed(): void {
    const error = (this.#error ??= new Error(`the download is larger than ${this.#largest} bytes`))
    this.#reject(error)
    for (const socket of this.#before.keys()) socket.destroy(error)
  }
}
