/**
 * The object store behind the signed links. Its client is separate and has no credentials: a signed
 * link is a permission by itself, and stores refuse a second one beside it.
 * Source: docs/contributing/service.md, "Result and log links".
 */
import type { IncomingMessage } from 'node:http'
import { isLoopback, isSecure } from '../service/addresses.ts'
import { openRequest } from '../service/http-request.ts'
import { ServiceError } from '../service/errors.ts'

/** A response of the store. Its body is not yet read and not yet decoded. */
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
   * Requests the file behind a link with these additional headers. Follows redirects. Rejects only
   * with a {@link ServiceError}, also if the signal aborts.
   */
  open(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<Opened>
}

/** The link must not be followed. The message does not contain it, because it is a secret. */
export class UnusableLinkError extends ServiceError {
  override readonly name = 'UnusableLinkError'
}

// Browsers allow 20 redirects. Object stores need one or two.
export const maxRedirects = 5
/** A link counts as broken after so many milliseconds without a byte. */
export const maxLinkSilence = 10_000

export class HttpStore implements Store {
  readonly #userAgent: string
  readonly #stallTimeout: number
  readonly #loopback: boolean

  /**
   * `stallTimeout`: see {@link maxLinkSilence}. `loopback`: links may lead to this machine, because
   * the service itself is on it. Links of any other service could reach private servers here.
   */
  constructor(userAgent: string, stallTimeout: number, loopback: boolean) {
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

  /** Accepts https, and plain http to loopback. Refuses each redirect from https to http. */
  #parse(link: string, from?: URL): URL {
    const url = URL.parse(link, from?.href)
    if (!url) throw new UnusableLinkError('the link is not a URL')
    if (!isSecure(url)) throw new UnusableLinkError('the link is not https')
    if (from?.protocol === 'https:' && url.protocol !== 'https:') {
      throw new UnusableLinkError('the link is redirected from https to http')
    }
    if (!this.#loopback && isLoopback(url.hostname)) {
      throw new UnusableLinkError(
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
