import { expect, it } from '@jest/globals'
import {
  MalformedAnswerError,
  NetworkError,
  NotSentError,
  RedirectError,
} from '../../../src/service/errors.ts'
import { classify } from '../../../src/service/send-at-most-once.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'

it.each([
  ['no connection was made', connectionRefused()],
  ['429', httpError(429)],
  ['429 with Retry-After', httpError(429, { retryAfter: 5_000 })],
  ['503 with Retry-After', httpError(503, { retryAfter: 5_000 })],
  ['503 with Retry-After: 0', httpError(503, { retryAfter: 0 })],
])('a start is sent again after: %s', (_, failure) => {
  expect(classify(failure)).toBe('retry')
})

it.each([400, 401, 402, 403, 404, 405, 409, 410, 413, 414, 415, 422, 431])(
  'a start was refused after %d',
  (status) => {
    expect(classify(httpError(status))).toBe('refused')
    expect(classify(httpError(status, { retryAfter: 1_000 }))).toBe('refused')
  },
)

it.each([
  ...[301, 307, 308].map((status) => new RedirectError(status, 'https://elsewhere.example')),
])('a start was refused after: %s', (failure) => {
  expect(classify(failure)).toBe('refused')
})

it.each([
  new NotSentError('no more are started'),
  new NetworkError('bad certificate', { mayHaveArrived: false, isFinal: true }),
])('a start was not sent, and is not sent again, after: %s', (failure) => {
  expect(classify(failure)).toBe('not-sent')
})

it.each([408, 500, 501, 502, 503, 504, 507, 520, 599])(
  'it is unclear after %d whether a start was accepted',
  (status) => {
    expect(classify(httpError(status))).toBe('unclear')
  },
)

it.each([
  connectionReset(),
  new NetworkError('half an answer', { mayHaveArrived: true }),
  ...[408, 500, 502, 504].map((status) => httpError(status, { retryAfter: 1_000 })),
  ...[300, 302, 303, 304].map((status) => new RedirectError(status, '/started')),
  new MalformedAnswerError({ status: 200, headers: {} }, 'no id'),
  new TypeError('a bug of the action'),
  undefined,
])('it is unclear after %s whether a start was accepted', (failure) => {
  expect(classify(failure)).toBe('unclear')
})
