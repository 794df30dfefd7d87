import { NetworkError, HttpError } from '../../src/service/errors.ts'

/** Returns the error of an answer with this status and, if given, with these words. */
export function httpError(status: number, options: { words?: string; retryAfter?: number } = {}) {
  const { words = '', retryAfter } = options
  return new HttpError({ status, words, key: words ? 'message' : undefined, retryAfter })
}

export const connectionRefused = () =>
  new NetworkError('127.0.0.1: connection refused', { mayHaveArrived: false })

export const connectionReset = () =>
  new NetworkError('127.0.0.1: connection reset', { mayHaveArrived: true })
