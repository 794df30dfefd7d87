/**
 * The errors of calls to the service. `send-at-most-once.ts` decides what follows for calls that
 * must not happen twice, and `src/execution` for checks.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { codeOf, messageOf } from '../errors.ts'
import type { ErrorWords } from './contract.ts'

/** The base of all that can go wrong between the action and the service. */
export abstract class ServiceError extends Error {
  /** Milliseconds of the response's `Retry-After`. Undefined if there was none. */
  readonly retryAfter: number | undefined = undefined
  /** True if a web page was the response. Then the address is probably not the service's. */
  readonly isWebPage: boolean = false
}

/** No answer, or an incomplete one. */
export class NetworkError extends ServiceError {
  override readonly name = 'NetworkError'
  /**
   * False only when no connection was made (name not resolved, refused, unreachable, or the proxy
   * or TLS handshake failed): only then can the service not have received the request.
   */
  readonly mayHaveArrived: boolean
  /** True if another try within seconds would fail in the same way. */
  readonly isFinal: boolean

  constructor(
    message: string,
    options: { mayHaveArrived: boolean; isFinal?: boolean; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.mayHaveArrived = options.mayHaveArrived
    this.isFinal = options.isFinal ?? false
  }
}

/**
 * A request that was not sent: its turn did not come, or nothing more may be sent. Proves nothing
 * of the service, and that nothing happened there.
 */
export class NotSentError extends ServiceError {
  override readonly name = 'NotSentError'
}

/** Why a body could not be read to its end. Node says of a connection that was cut: `aborted`. */
export function whyUnread(error: unknown): string {
  const message = messageOf(error)
  const code = codeOf(error) ?? ''
  // The codes of zlib and brotli.
  if (/^Z_|^ERR_+(?:ERROR_FORMAT|BROTLI)/.test(code)) {
    return `its content encoding could not be undone (${message})`
  }
  return message === 'aborted' ? 'the connection was cut' : message
}

/** An answer with a 4xx or 5xx status. */
export class HttpError extends ServiceError {
  override readonly name = 'HttpError'
  readonly status: number
  /** The service's text, untrusted and of any length. Empty if there was none. */
  readonly words: string
  /** The member of the body that the text stood under. */
  readonly key: ErrorWords['key']
  /** Method and path of the request, if they are known. */
  readonly asked: string | undefined
  override readonly retryAfter: number | undefined

  constructor(
    options: ErrorWords & { status: number; asked?: string; retryAfter?: number | undefined },
  ) {
    super(`the service answered ${options.status}${options.words ? `: ${options.words}` : ''}`)
    this.status = options.status
    this.words = options.words
    this.key = options.key
    this.asked = options.asked
    this.retryAfter = options.retryAfter
  }
}

/** Returns true for 401 and 403: the credentials do not allow the call. */
export function refusesCredentials(failure: unknown): failure is HttpError {
  return failure instanceof HttpError && [401, 403].includes(failure.status)
}

/** Said of a web page in the place of an answer. Names the input to look at. */
export const notTheService = 'it looks like a web page, not like the service: check base-url'

/**
 * An answer with a 3xx status. API calls follow none: the credentials would be sent to wherever it
 * points. Source: docs/contributing/service.md, "Routes".
 */
export class RedirectError extends ServiceError {
  override readonly name = 'RedirectError'
  readonly status: number
  override readonly isWebPage: boolean

  /** `location`: the header, untrusted. */
  constructor(status: number, location: string | undefined) {
    // Web pages redirect to a login with 302 and 303. The other statuses keep method and body.
    const isWebPage = status === 302 || status === 303
    const page = isWebPage ? ` (${notTheService})` : ''
    const target = location === undefined ? 'nowhere' : addressWithoutSecrets(location)
    super(`the service answered ${String(status)}, a redirect to ${target}${page}`)
    this.status = status
    this.isWebPage = isWebPage
  }
}

/**
 * Returns origin and path of a redirect's address. Its query and fragment may contain a login code
 * or a signature, and its user part a password.
 */
function addressWithoutSecrets(location: string): string {
  const base = 'https://service.invalid'
  const url = URL.parse(location, base)
  if (!url) return 'an invalid address'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `a ${url.protocol} address`
  // In a URL, a secret may have another spelling, which redaction would not find.
  const path = /^[\w./~-]*$/.test(url.pathname) ? url.pathname : '/…'
  return url.origin === base ? path : url.origin + path
}

/** A response that does not match the documentation of the route. */
export class MalformedAnswerError extends ServiceError {
  override readonly name = 'MalformedAnswerError'
  override readonly isWebPage: boolean

  constructor(answer: { status: number; headers: IncomingHttpHeaders }, why: string) {
    const { status, headers } = answer
    const type = headers['content-type'] ?? 'no content type'
    super(`the service answered ${String(status)} (${type}) with something unexpected: ${why}`)
    this.isWebPage = why === notTheService
  }
}

/** The error if no byte came for `timeout` milliseconds. */
export function noData(timeout: number): Error {
  return new Error(`no data for ${String(timeout / 1000)} s`)
}
