/**
 * Requests files from the object store. Sends no credentials, because a signed link is already a
 * permission, and stores refuse a signed link with additional credentials.
 * Source: docs/contributing/service.md, "Result and log links".
 */
import type { IncomingMessage } from 'node:http'
import { isLoopback, isSecure } from '../service/addresses.ts'
import { openRequest } from '../service/http-request.ts'
import { ServiceError } from '../service/service-errors.ts'

/** A response of the object store. The body has not been read or decoded yet. */
export interface Opened {
  status: number
  headers: IncomingMessage['headers']
  body: AsyncIterable<Buffer>
  /** Closes the connection without reading the rest of the body. */
  close(): void
}

export interface Store {
  /**
   * Requests the file of a signed link. Follows redirects. Rejects with a {@link ServiceError} if the
   * request fails or the signal aborts, and with another error if the link must not be requested.
   * The message does not contain the link.
   */
  open(link: string, signal: AbortSignal): Promise<Opened>
}

/** The store answered with another status than 200. */
export class StoreStatusError extends ServiceError {
  override readonly name = 'StoreStatusError'
  readonly status: number
  override readonly retryAfter: number | undefined

  constructor(status: number, retryAfter: number | undefined) {
    super(`the store answered ${status}`)
    this.status = status
    this.retryAfter = retryAfter
  }
}

// How many redirects of a link are followed. Object stores need one or two. Browsers allow 20.
export const maxRedirects = 5
/** How long a store may send no byte, in milliseconds. */
export const maxStall = 30_000

export class HttpStore implements Store {
  readonly #userAgent: string
  readonly #stallTimeout: number
  readonly #loopback: boolean

  /**
   * `stallTimeout` is the longest time without a byte, in milliseconds. `loopback` is true if the
   * service runs on this machine, so that links may lead to this machine. Other links to this
   * machine are refused, because they could reach private servers.
   */
  constructor(userAgent: string, stallTimeout: number, loopback: boolean) {
    this.#userAgent = userAgent
    this.#stallTimeout = stallTimeout
    this.#loopback = loopback
  }

  async open(link: string, signal: AbortSignal): Promise<Opened> {
    const headers = { 'user-agent': this.#userAgent, 'accept-encoding': 'identity' }
    let url = this.#parse(link)
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const request = { method: 'GET', url, headers } as const
      const message = await openRequest(request, this.#stallTimeout, signal)
      const location = redirectOf(message)
      if (location === undefined) return opened(message)
      message.destroy()
      url = this.#parse(location, url)
    }
    throw new Error(`the link was redirected more than ${maxRedirects} times`)
  }

  /** Returns the URL of a link, or of the target of a redirect. */
  #parse(address: string, from?: URL): URL {
    const url = URL.parse(address, from?.href)
    if (!url || !isSecure(url)) throw new Error('the link leads to an address that is not https')
    if (!this.#loopback && isLoopback(url.hostname)) {
      throw new Error(
        'the link leads to this machine, but the service does not run on this machine',
      )
    }
    return url
  }
}

function opened(message: IncomingMessage): Opened {
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    body: message,
    close: () => message.destroy(),
  }
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined
}
