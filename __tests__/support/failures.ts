import { NetworkFailure, Refusal } from '../../src/service/failures.ts'

/** The service said no, in words where the test needs some. */
export function refusal(status: number, options: { words?: string; retryAfter?: number } = {}) {
  const { words = '', retryAfter } = options
  return new Refusal({ status, words, key: words ? 'message' : undefined, retryAfter })
}

export const connectionRefused = () =>
  new NetworkFailure('127.0.0.1: connection refused', { mayHaveArrived: false })

export const connectionReset = () =>
  new NetworkFailure('127.0.0.1: connection reset', { mayHaveArrived: true })
