import { HttpError, NetworkError } from '../../src/service/service-errors.ts'

/** Returns the error of an answer with this status and, if given, with these words. */
export function httpError(
  status: number,
  options: {
    words?: string
    retryAfter?: number | undefined
    isWebPage?: boolean
    isProven?: boolean
    executionId?: string | undefined
  } = {},
) {
  const { words = '' } = options
  return new HttpError({ ...options, status, words })
}

export const connectionRefused = () =>
  new NetworkError('127.0.0.1: connection refused', { mayHaveArrived: false })

export const connectionReset = () =>
  new NetworkError('127.0.0.1: connection reset', { mayHaveArrived: true })

/** Each status of an error. */
export const statuses = Array.from({ length: 200 }, (_, at) => 400 + at)

/** Each kind of failure without a connection. */
export const unreachedFailures = [
  'TLS failed: wrong version number',
  'connect ECONNREFUSED',
  'no tunnel through the proxy',
  'self-signed certificate',
  'certificate has expired',
].map((why) => new NetworkError(why, { mayHaveArrived: false }))
