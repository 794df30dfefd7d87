/**
 * The object store behind the signed links. A client of its own, that knows no credentials: a
 * signed link carries its permission in itself, and stores refuse one that comes with more.
 */
import type { IncomingMessage } from 'node:http'
import { isSecure, reachesThisMachine } from '../service/addresses.ts'
import { openRequest } from '../service/http-request.ts'
import { ServiceError } from '../service/errors.ts'

/** The store's head of an answer, its body still unread and still encoded. */
export interface Opened {
  status: number
  headers: IncomingMessage['headers']
  body: AsyncIterable<Buffer>
  /** Gives the connection back without reading the rest. */
  close(): void
}

export interface Store {
  /** Rejects with a {@link ServiceError} alone, also when the signal aborts. */
  open(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<Opened>
}

/** A link that may not be followed. The message never holds the link: it is a secret. */
export class UnusableLinkError extends ServiceError {
  override readonly name = 'UnusableLinkError'
}

// Browsers allow 20; a store that needs more than a handful is lost.
const mostRedirects = 5

export class HttpStore implements Store {
  readonly #userAgent: string
  readonly #silence: number
  readonly #loopback: boolean

  /**
   * `silence`: milliseconds without a byte after which a link counts as broken. `loopback`: whether
   * links may lead to this machine, as those of a service on it do. Those of any other service
   * have no business with what else listens here.
   */
  constructor(userAgent: string, { silence = 10_000, loopback = false } = {}) {
    this.#userAgent = userAgent
    this.#silence = silence
    this.#loopback = loopback
  }

  async open(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<Opened> {
    let url = this.#parse(link)
    for (let hop = 0; hop <= mostRedirects; hop++) {
      const message = await this.#get(url, headers, signal)
      const location = redirectOf(message)
      if (location === undefined) return opened(message)
      message.destroy()
      url = this.#parse(location, url)
    }
    throw new UnusableLinkError(`the link was redirected more than ${String(mostRedirects)} times`)
  }

  async #get(url: URL, headers: Record<string, string>, signal: AbortSignal) {
    const all = { ...headers, 'user-agent': this.#userAgent, 'accept-encoding': 'identity' }
    return openRequest(url, { method: 'GET', headers: all }, undefined, this.#silence, signal)
  }

  /** https only, loopback aside, and never from https to http, be it loopback. */
  #parse(link: string, from?: URL): URL {
    const url = URL.parse(link, from?.href)
    if (!url) throw new UnusableLinkError('the link is not a URL')
    if (!isSecure(url)) throw new UnusableLinkError('the link is not https')
    if (from?.protocol === 'https:' && url.protocol !== 'https:') {
      throw new UnusableLinkError('the link is redirected from https to http')
    }
    if (!this.#loopback && reachesThisMachine(url.hostname)) {
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
