/**
 * The errors of requests to the service. `send-at-most-once.ts` decides what to do after an error
 * of a start or a creation. `src/execution` decides what to do after an error of a check.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { codeOf, messageOf } from '../errors.ts'

/** The base class of all errors between the action and the service. */
export abstract class ServiceError extends Error {
  /** The value of the `Retry-After` header in milliseconds. Undefined without this header. */
  readonly retryAfter: number | undefined = undefined
  /** True if the response is a web page, which the service never sends. */
  readonly isWebPage: boolean = false
}

/**
 * No response arrived, or only a part of a response arrived. If a signal ended the request, `cause`
 * is the reason of the signal.
 */
export class NetworkError extends ServiceError {
  override readonly name = 'NetworkError'
  /**
   * False if the service cannot have received the request, because no connection was made. The name
   * was not resolved, the connection failed, or the handshake with the proxy or TLS failed.
   */
  readonly mayHaveArrived: boolean
  /** True if another try after some seconds would fail in the same way. */
  readonly isFinal: boolean
  /** The host of the request. Undefined if another error was read from an open connection. */
  readonly host: string | undefined

  constructor(
    message: string,
    options: { mayHaveArrived: boolean; isFinal?: boolean; host?: string; cause?: unknown },
  ) {
    super(message, options)
    this.mayHaveArrived = options.mayHaveArrived
    this.isFinal = options.isFinal ?? false
    this.host = options.host
  }
}

/** Returns true if no connection was made, so that the service cannot have received the request. */
export function isUnreached(error: unknown): error is NetworkError {
  return error instanceof NetworkError && !error.mayHaveArrived
}

/** The request was not sent: its turn did not come in time, or the batch had stopped. */
export class NotSentError extends ServiceError {
  override readonly name = 'NotSentError'
}

/** Returns the reason why a body could not be read. Node calls a cut connection `aborted`. */
export function whyUnread(error: unknown): string {
  const message = messageOf(error)
  const code = codeOf(error) ?? ''
  // The error codes of zlib and brotli match this pattern.
  if (/^Z_|^ERR_+(?:ERROR_FORMAT|BROTLI)/.test(code)) {
    return `its content encoding could not be undone (${message})`
  }
  return message === 'aborted' ? 'the connection was cut' : message
}

/**
 * Returns why no connection was made. Shortens a message of OpenSSL to its reason. Removes Node's
 * advice to set a command-line option, because a workflow cannot set this option.
 */
export function whyNotConnected(error: unknown): string {
  const message = messageOf(error)
  // Node gives the reason in the error code, or only in OpenSSL's message.
  const [, reason] =
    /^ERR_SSL_(.+)/.exec(codeOf(error) ?? '') ?? /:SSL routines:[^:]*:([^:]+):/.exec(message) ?? []
  if (reason !== undefined) return `TLS failed: ${reason.toLowerCase().replaceAll('_', ' ')}`
  return message.replace(/; if the root CA is installed locally.*$/, '')
}

/** What the errors of all responses have. */
interface AnswerFacts {
  status: number
  /** The usable execution id in the answer to a start. The answer does not accept the start. */
  executionId?: string | undefined
  isWebPage?: boolean
  retryAfter?: number | undefined
}

/** A response that is not the documented success. */
export abstract class AnswerError extends ServiceError {
  readonly status: number
  readonly executionId: string | undefined
  override readonly isWebPage: boolean
  override readonly retryAfter: number | undefined

  constructor(message: string, { status, executionId, isWebPage, retryAfter }: AnswerFacts) {
    super(message)
    this.status = status
    this.executionId = executionId
    this.isWebPage = isWebPage ?? false
    this.retryAfter = retryAfter
  }
}

/** A response with the status of an error. */
export class HttpError extends AnswerError {
  override readonly name = 'HttpError'
  /** The service's text, untrusted and of any length. Empty if the response has no text. */
  readonly words: string
  /** The method and the path of the request, if they are known. */
  readonly asked: string | undefined
  /**
   * True if the service has accepted the credentials of this step before. Then a 401 or 403 may be a
   * temporary error of the service.
   */
  readonly isProven: boolean

  constructor(
    facts: AnswerFacts & { words: string; asked?: string | undefined; isProven?: boolean },
  ) {
    const page = facts.isWebPage === true ? ' with a web page' : ''
    const words = facts.words ? `: ${facts.words}` : ''
    super(`the service answered ${facts.status}${page}${naming(facts.executionId)}${words}`, facts)
    this.words = facts.words
    this.asked = facts.asked
    this.isProven = facts.isProven ?? false
  }
}

/**
 * Returns true if the service refused the credentials with 401 or 403. A web page with these
 * statuses comes from a firewall or a bot wall, and not from the service.
 */
export function refusesCredentials(failure: unknown): failure is HttpError {
  const isRefusal = failure instanceof HttpError && [401, 403].includes(failure.status)
  return isRefusal && !failure.isWebPage
}

/** Says which execution an answer names that does not accept the start. */
export function naming(executionId: string | undefined): string {
  return executionId === undefined ? '' : ` and named execution ${executionId}`
}

/**
 * Returns true if the service did not begin the request, and may accept it later: it answered 429, or
 * 503 with `Retry-After`. Without `Retry-After`, a 503 may come from a proxy.
 */
export function asksToWait(failure: unknown): failure is HttpError {
  if (!(failure instanceof HttpError)) return false
  return failure.status === 429 || (failure.status === 503 && failure.retryAfter !== undefined)
}

/**
 * A response with a 3xx status. API requests do not follow redirects, because the credentials would
 * be sent to the target of the redirect. Source: docs/contributing/service.md, "Routes".
 */
export class RedirectError extends AnswerError {
  override readonly name = 'RedirectError'

  /** `location` is the value of the `Location` header (untrusted). */
  constructor(status: number, location: string | undefined, executionId: string | undefined) {
    const target =
      location === undefined
        ? ' without a redirect address'
        : `, a redirect to ${addressWithoutSecrets(location)}`
    const named = executionId === undefined ? '' : `,${naming(executionId)}`
    // Web sites redirect to a login page with 302 or 303.
    const isWebPage = status === 302 || status === 303
    const message = `the service answered ${status}${target}${named}`
    super(message, { status, executionId, isWebPage })
  }
}

/**
 * Returns the origin and the path of the target of a redirect. Omits query, fragment and user,
 * because they may contain a login code, a signature or a password.
 */
function addressWithoutSecrets(location: string): string {
  const base = 'https://service.invalid'
  const url = URL.parse(location, base)
  if (!url || !/^https?:$/.test(url.protocol)) return 'an invalid address'
  // Redaction cannot find a percent-encoded secret, so paths with unusual characters are not shown.
  const path = /^[\w./~-]*$/.test(url.pathname) ? url.pathname : '/…'
  return url.origin === base ? path : url.origin + path
}

/** A response that does not have the documented form. */
export class MalformedAnswerError extends AnswerError {
  override readonly name = 'MalformedAnswerError'

  constructor(
    { status, headers }: { status: number; headers: IncomingHttpHeaders },
    why: string,
    isWebPage: boolean,
  ) {
    const type = headers['content-type'] ?? 'unknown'
    const message = `the service answered ${status} with an unexpected body of type ${type}: ${why}`
    super(message, { status, isWebPage })
  }
}

/** Returns the error for a connection on which no byte arrived for `timeout` milliseconds. */
export function noData(timeout: number): Error {
  return new Error(`no data for ${timeout / 1000} s`)
}
