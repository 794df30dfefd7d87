/** One call of the service: a request, one bounded answer, no redirect, no repetition. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { addAbortSignal } from 'node:stream'
import { Deadline, systemClock, type Clock } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { decoded } from './content-encoding.ts'
import { openRequest } from './http-request.ts'
import { NetworkError } from './errors.ts'

export interface ApiRequest {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** Milliseconds since the epoch; dates in the headers count from here. */
  receivedAt: number
}

/** Sends one request. Rejects with {@link NetworkError} alone, also when the signal aborts. */
export interface Transport {
  send(request: ApiRequest, signal: AbortSignal): Promise<Answer>
}

export interface TransportLimits {
  /** Milliseconds without a byte after which a connection counts as dead. */
  silence: number
  /** Milliseconds for the whole call, from the connection to the answer's last byte. */
  total: number
  /** Bytes of a request's body that may take another millisecond. */
  upload: number
  /** Bytes of an answer's body past which it is refused without being read to its end. */
  answer: number
}

// Answers of the service are a few hundred bytes, which half a minute brings over any line; a
// mebibyte is an error page gone wild. A seed may have megabytes: 64 kB a second are little.
export const transportLimits: TransportLimits = {
  silence: 30_000,
  total: 30_000,
  upload: 64,
  answer: 1024 * 1024,
}

export class HttpTransport implements Transport {
  readonly #userAgent: string
  readonly #limits: TransportLimits
  readonly #clock: Clock

  constructor(userAgent: string, limits = transportLimits, clock = systemClock) {
    this.#userAgent = userAgent
    this.#limits = limits
    this.#clock = clock
  }

  async send(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    const { total, upload } = this.#limits
    const span = total + Math.floor(Buffer.byteLength(request.body ?? '') / upload)
    using bound = new Deadline(this.#clock, span, signal)
    try {
      return await this.#exchange(request, bound.signal)
    } catch (error) {
      if (!(error instanceof NetworkError) || signal.aborted || !bound.signal.aborted) throw error
      const why = `no complete answer within ${String(Math.round(span / 100) / 10)} s`
      throw new NetworkError(why, { mayHaveArrived: error.mayHaveArrived, cause: error })
    }
  }

  async #exchange(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    const { method, url, body } = request
    const headers = { ...request.headers, 'user-agent': this.#userAgent }
    const message = await openRequest(url, { method, headers }, body, this.#limits.silence, signal)
    const answer = {
      status: message.statusCode ?? 0,
      headers: message.headers,
      receivedAt: Date.now(),
    }
    return { ...answer, body: await this.#read(message, signal) }
  }

  async #read(message: IncomingMessage, signal: AbortSignal): Promise<string> {
    const chunks: Buffer[] = []
    let size = 0
    try {
      // The decoding, too, ends with the signal: the message itself may be over by then.
      const content = addAbortSignal(signal, await decoded(message)) as AsyncIterable<Buffer>
      for await (const chunk of content) {
        size += chunk.length
        if (size > this.#limits.answer) {
          throw new Error(`its answer is larger than ${String(this.#limits.answer)} bytes`)
        }
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString('utf8')
    } catch (error) {
      throw new NetworkError(`the answer broke off: ${messageOf(error)}`, {
        mayHaveArrived: true,
        cause: error,
      })
    } finally {
      message.destroy()
    }
  }
}
