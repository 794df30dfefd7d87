/** Sends one request to the service and reads one response of limited size. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Deadline, type Clock } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { decoderFor } from './content-encoding.ts'
import { openRequest, type HttpRequest } from './http-request.ts'
import { NetworkError, whyUnread } from './service-errors.ts'

/** A complete response with a decoded body. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** When the response arrived, in milliseconds since the epoch. Used for a `Retry-After` date. */
  receivedAt: number
}

export interface Transport {
  /**
   * Sends one request. Rejects only with {@link NetworkError}, even if a signal aborts.
   * `untilConnected` ends the request as long as no connection is made.
   */
  send(
    request: HttpRequest,
    untilAnswered: AbortSignal,
    untilConnected?: AbortSignal,
  ): Promise<Answer>
}

/**
 * The limits of the actions, in milliseconds and bytes. A start that is given up may be a paid run
 * without an id, so a start may take longer than a check. Responses of the service have a few hundred
 * bytes. Source: docs/contributing/service.md, "Limits".
 */
export const transportLimits = {
  /** For making a connection. */
  connect: 30_000,
  /** For a check. */
  get: 30_000,
  /** For starting an automation or creating a project. */
  post: 120_000,
  /** The maximum size of a decoded response body. A larger body is refused. */
  answer: 1024 * 1024,
}

/** Sends requests over HTTP. Tests and the simulation use other transports. */
export class HttpTransport implements Transport {
  readonly #userAgent: string
  readonly #clock: Clock

  /** `userAgent` names the action and its version. */
  constructor(userAgent: string, clock: Clock) {
    this.#userAgent = userAgent
    this.#clock = clock
  }

  async send(
    request: HttpRequest,
    untilAnswered: AbortSignal,
    untilConnected = untilAnswered,
  ): Promise<Answer> {
    const { connect, get, post } = transportLimits
    const span = request.method === 'POST' ? post : get
    const within = (limit: number) => `within ${limit / 1000} s`
    using all = new Deadline(this.#clock, span, untilAnswered, `no complete answer ${within(span)}`)
    using connecting = new Deadline(
      this.#clock,
      connect,
      untilConnected,
      `no connection ${within(connect)}`,
    )
    const headers = {
      ...request.headers,
      'user-agent': this.#userAgent,
      // Without this header, a server may choose any encoding.
      'accept-encoding': 'identity',
    }
    // No stall timeout: the service may send no byte before its answer is complete.
    const message = await openRequest({ ...request, headers }, 0, all.signal, connecting.signal)
    const receivedAt = this.#clock.date().getTime()
    const body = await this.#read(message, all.signal)
    return { status: message.statusCode ?? 0, headers: message.headers, body, receivedAt }
  }

  async #read(message: IncomingMessage, signal: AbortSignal): Promise<string> {
    const chunks: Buffer[] = []
    let size = 0
    try {
      const decode = decoderFor(message.headers['content-encoding'])
      for await (const chunk of decode?.(message) ?? (message as AsyncIterable<Buffer>)) {
        // Decoding may take longer than receiving the message, which the signal ends by itself.
        signal.throwIfAborted()
        size += chunk.length
        if (size > transportLimits.answer) {
          throw new Error(`it is larger than ${transportLimits.answer} bytes`)
        }
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString('utf8')
    } catch (error) {
      const text = Buffer.concat(chunks).toString('utf8')
      if (isWholeObject(text)) return text
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

/** Returns true for a JSON object. No beginning of a longer JSON object is a JSON object. */
function isWholeObject(text: string): boolean {
  try {
    // This also removes a byte order mark.
    const json = text.trimStart()
    JSON.parse(json)
    return json.startsWith('{')
  } catch {
    return false
  }
}
