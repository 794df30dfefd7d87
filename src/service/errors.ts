/**
 * The ways a call to the service can fail. What may be done about one is decided elsewhere
 * (`resend.ts` for calls that must not happen twice, `execution/follow.ts` for checks).
 */
import type { ErrorWords } from './contract.ts'
import type { Answer } from './transport.ts'

/** The base of all that can go wrong between the action and the service. */
export abstract class ServiceError extends Error {
  /** Milliseconds the service asked to wait, where it did (`Retry-After`). */
  readonly retryAfter: number | undefined = undefined
}

/** No answer, or half of one. */
export class NetworkError extends ServiceError {
  override readonly name = 'NetworkError'
  /**
   * False only when no connection was made (not resolved, refused, unreachable, proxy or TLS
   * handshake failed): then, and only then, the service cannot have received the request.
   */
  readonly mayHaveArrived: boolean

  constructor(message: string, options: { mayHaveArrived: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.mayHaveArrived = options.mayHaveArrived
  }
}

/** An answer that says no: any status of 400 and above. */
export class HttpError extends ServiceError {
  override readonly name = 'HttpError'
  readonly status: number
  /** The service's own words, untrusted; empty where none came. */
  readonly words: string
  /** The key they came under. */
  readonly key: ErrorWords['key']
  override readonly retryAfter: number | undefined

  constructor(options: ErrorWords & { status: number; retryAfter?: number | undefined }) {
    super(`the service answered ${options.status}${options.words ? `: ${options.words}` : ''}`)
    this.status = options.status
    this.words = options.words
    this.key = options.key
    this.retryAfter = options.retryAfter
  }
}

/** Said of what a login, another site or a proxy's notice answers. Names the input to look at. */
export const notTheService = 'it looks like a web page, not like the service: check base-url'

/** A 3xx. API calls follow none: the credentials would travel to wherever it points. */
export class RedirectError extends ServiceError {
  override readonly name = 'RedirectError'
  readonly status: number
  readonly location: string | undefined

  constructor(status: number, location: string | undefined) {
    // 302 and 303 are how web pages lead people to a login; the others keep method and body.
    const page = status === 302 || status === 303 ? ` (${notTheService})` : ''
    super(`the service answered ${String(status)}, a redirect to ${location ?? 'nowhere'}${page}`)
    this.status = status
    this.location = location
  }
}

/** A success that is not what the service's document describes. */
export class MalformedAnswerError extends ServiceError {
  override readonly name = 'MalformedAnswerError'

  constructor({ status, headers }: Pick<Answer, 'status' | 'headers'>, why: string) {
    const type = headers['content-type'] ?? 'no content type'
    super(`the service answered ${String(status)} (${type}) with something unexpected: ${why}`)
  }
}
