/** Sends one request to the service and reads one response of limited size. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { addAbortSignal } from 'node:stream'
import { Deadline, type Clock } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { decoded } from './content-encoding.ts'
import { openRequest, type HttpRequest } from './http-request.ts'
import { NetworkError, whyUnread } from './errors.ts'

/** A complete response with a decoded body. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** When the response arrived, in milliseconds since the epoch. Used for a `Retry-After` date. */
  receivedAt: number
}

/** Sends one request. Rejects only with {@link NetworkError}, even if the signal aborts. */
export interface Transport {
  send(request: HttpRequest, signal: AbortSignal): Promise<Answer>
}

export interface TransportLimits {
  /** The time without a byte after which the connection counts as broken, in milliseconds. */
  stallTimeout: number
  /** The time limit from the connection to the last byte of the response, in milliseconds. */
  total: number
  /** The number of bytes of a request body that extend the time limit `total` by 1 ms. */
  upload: number
  /** The maximum size of a decoded response body in bytes. A larger body is refused. */
  answer: number
}

/**
 * The limits of the actions. Responses of the service have a few hundred bytes. A seed may have
 * megabytes, so each 64 kB of a request body extends the time limit by one second. Source:
 * docs/contributing/service.md, "Limits".
 */
export const transportLimits: TransportLimits = {
  stallTimeout: 30_000,
  total: 30_000,
  upload: 64,
  answer: 1024 * 1024,
}

/** Sends requests over HTTP. Tests and the simulation use other transports. */
export class HttpTransport implements Transport {
  readonly #userAgent: string
  readonly #limits: TransportLimits
  readonly #clock: Clock

  /** `userAgent` names the action and its version. */
  constructor(userAgent: string, limits: TransportLimits, clock: Clock) {
    this.#userAgent = userAgent
    this.#limits = limits
    this.#clock = clock
  }

  async send(request: HttpRequest, signal: AbortSignal): Promise<Answer> {
    const { total, upload } = this.#limits
    const span = total + Math.floor(Buffer.byteLength(request.body ?? '') / upload)
    const why = `no complete answer within ${String(Math.round(span / 100) / 10)} s`
    using bound = new Deadline(this.#clock, span, signal, why)
    return await this.#request(request, bound.signal)
  }

  async #request(request: HttpRequest, signal: AbortSignal): Promise<Answer> {
    const headers = { ...request.headers, 'user-agent': this.#userAgent }
    const { stallTimeout } = this.#limits
    const message = await openRequest({ ...request, headers }, stallTimeout, signal)
    const receivedAt = this.#clock.date().getTime()
    const text = await this.#read(message, signal)
    return { status: message.statusCode ?? 0, headers: message.headers, body: text, receivedAt }
  }

  async #read(message: IncomingMessage, signal: AbortSignal): Promise<string> {
    const chunks: Buffer[] = []
    let size = 0
    try {
      // The signal must also end the decoding. Decoding may take longer than receiving the message.
      const content = addAbortSignal(signal, await decoded(message)) as AsyncIterable<Buffer>
      for await (const chunk of content) {
        size += chunk.length
        if (size > this.#limits.answer) {
          throw new Error(`it is larger than ${String(this.#limits.answer)} bytes`)
        }
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString('utf8')
    } catch (error) {
      const cause: unknown = signal.aborted ? signal.reason : error
      const why = signal.aborted ? messageOf(cause) : whyUnread(cause)
      throw new NetworkError(`the answer could not be read to its end: ${why}`, {
        mayHaveArrived: true,
        cause,
      })
    } finally {
      message.destroy()
    }
  }
}
