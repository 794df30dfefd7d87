/**
 * The object store behind the signed links. Its client is separate and has no credentials: a signed
 * link is a permission by itself, and stores refuse a second one beside it.
 * Source: docs/service.md, "Result and log links".
 */
import type { IncomingMessage } from 'node:http'
import { isLoopback, isSecure } from '../service/addresses.ts'
import { openRequest } from '../service/http-request.ts'
import { ServiceError } from '../service/errors.ts'

/** An answer of the store, its body still unread and in its content encoding. */
export interface Opened {
  status: number
  headers: IncomingMessage['headers']
  body: AsyncIterable<Buffer>
  /** Closes the connection without reading the rest. */
  close(): void
}

/** A client of the object store. */
export interface Store {
  /**
   * Asks for what a link leads to, with these headers added; redirects are followed. Rejects with a {@link ServiceError} alone,
   * also when the signal aborts.
   */
  open(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<Opened>
}

/** A link that must not be followed. The message never has the link in it, which is a secret. */
export class UnusableLinkError extends ServiceError {
  override readonly name = 'UnusableLinkError'
}

// Browsers allow 20; object stores need one or two.
const maxRedirects = 5

/** The client over HTTP. */
export class HttpStore implements Store {
  readonly #userAgent: string
  readonly #stallTimeout: number
  readonly #loopback: boolean

  /**
   * @param options.stallTimeout milliseconds without a byte after which a link counts as broken
   * @param options.loopback whether links may lead to this machine, as those of a service on it do;
   *   those of any other service could reach what else listens here
   */
  constructor(userAgent: string, { stallTimeout = 10_000, loopback = false } = {}) {
    this.#userAgent = userAgent
    this.#stallTimeout = stallTimeout
    this.#loopback = loopback
  }

  async open(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<Opened> {
    let url = this.#parse(link)
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const message = await this.#get(url, headers, signal)
      const location = redirectOf(message)
      if (location === undefined) return opened(message)
      message.destroy()
      url = this.#parse(location, url)
    }
    throw new UnusableLinkError(`the link was redirected more than ${String(maxRedirects)} times`)
  }

  async #get(url: URL, headers: Record<string, string>, signal: AbortSignal) {
    const all = { ...headers, 'user-agent': this.#userAgent, 'accept-encoding': 'identity' }
    return openRequest({ method: 'GET', url, headers: all }, this.#stallTimeout, signal)
  }

  /** Allows https, plain http to loopback, and no redirect from https to http, loopback included. */
  #parse(link: string, from?: URL): URL {
    const url = URL.parse(link, from?.href)
    if (!url) throw new UnusableLinkError('the link is not a URL')
    if (!isSecure(url)) throw new UnusableLinkError('the link is not https')
    if (from?.protocol === 'https:' && url.protocol !== 'https:') {
      throw new UnusableLinkError('the link is redirected from https to http')
    }
    if (!this.#loopback && isLoopback(url.hostname)) {
      throw new UnusableLinkError('the link leads to this machine, and the service is not on it')
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
