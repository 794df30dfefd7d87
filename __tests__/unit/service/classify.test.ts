import { describe, expect, it } from '@jest/globals'
import {
  MalformedAnswerError,
  NetworkError,
  NotSentError,
  RedirectError,
} from '../../../src/service/errors.ts'
import { classify } from '../../../src/service/send-at-most-once.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'

describe('a start is sent again', () => {
  it('when no connection was made', () => {
    expect(classify(connectionRefused())).toBe('retry')
  })

  it('after 429, with or without Retry-After', () => {
    expect(classify(httpError(429))).toBe('retry')
    expect(classify(httpError(429, { retryAfter: 5_000 }))).toBe('retry')
  })

  it('after 503 with Retry-After, be it 0', () => {
    expect(classify(httpError(503, { retryAfter: 5_000 }))).toBe('retry')
    expect(classify(httpError(503, { retryAfter: 0 }))).toBe('retry')
  })
})

describe('a start was refused', () => {
  it.each([400, 401, 402, 403, 404, 405, 409, 410, 413, 414, 415, 422, 431])(
    'after %d',
    (status) => {
      expect(classify(httpError(status))).toBe('refused')
      expect(classify(httpError(status, { retryAfter: 1_000 }))).toBe('refused')
    },
  )

  it.each([301, 307, 308])('after %d, which asks for the same elsewhere', (status) => {
    expect(classify(new RedirectError(status, 'https://elsewhere.example'))).toBe('refused')
  })

  it('where it was not sent, for its turn did not come', () => {
    expect(classify(new NotSentError('no more are started'))).toBe('refused')
  })
})

describe('it is unknown whether a start was accepted', () => {
  it('when the connection broke after it was made', () => {
    expect(classify(connectionReset())).toBe('unknown')
    expect(classify(new NetworkError('half an answer', { mayHaveArrived: true }))).toBe('unknown')
  })

  it.each([408, 500, 501, 502, 503, 504, 507, 520, 599])('after %d', (status) => {
    expect(classify(httpError(status))).toBe('unknown')
  })

  it.each([408, 500, 502, 504])('after %d, whatever its Retry-After says', (status) => {
    expect(classify(httpError(status, { retryAfter: 1_000 }))).toBe('unknown')
  })

  it.each([300, 302, 303, 304])('after %d, which may follow an accepted start', (status) => {
    expect(classify(new RedirectError(status, '/started'))).toBe('unknown')
  })

  it('after a 2xx that is not the documented answer', () => {
    expect(classify(new MalformedAnswerError({ status: 200, headers: {} }, 'no id'))).toBe(
      'unknown',
    )
  })

  it('after any other error', () => {
    expect(classify(new TypeError('a bug of the action'))).toBe('unknown')
    expect(classify(undefined)).toBe('unknown')
  })
})
