import { describe, expect, it } from '@jest/globals'
import {
  MalformedAnswerError,
  NetworkError,
  NotSentError,
  RedirectError,
} from '../../../src/service/service-errors.ts'
import { classify, judgeAnswer } from '../../../src/service/classify.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'

it.each([
  ['no connection was made', connectionRefused()],
  ['429', httpError(429)],
  ['429 with Retry-After', httpError(429, { retryAfter: 5_000 })],
  ['503 with Retry-After', httpError(503, { retryAfter: 5_000 })],
  ['503 with Retry-After: 0', httpError(503, { retryAfter: 0 })],
])('a start is sent again after: %s', (_, failure) => {
  expect(classify(failure)).toBe('again')
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

describe('an answer to a start proves', () => {
  const wait = { retryAfter: 0 }
  const proven = { isProven: true }

  it.each([
    [408, {}, 'unclear', 'accepted'],
    [500, {}, 'unclear', 'accepted'],
    [502, {}, 'unclear', 'accepted'],
    [504, wait, 'unclear', 'accepted'],
    [520, {}, 'unclear', 'accepted'],
    [503, {}, 'unclear', 'unclear'],
    [503, wait, 'again', 'unclear'],
    [429, {}, 'again', 'unclear'],
    [429, wait, 'again', 'unclear'],
    [401, proven, 'again', 'refused'],
    [403, proven, 'again', 'refused'],
    [403, { ...proven, isWebPage: true }, 'refused', 'refused'],
    [401, {}, 'refused', 'refused'],
    [403, wait, 'refused', 'refused'],
    [404, proven, 'refused', 'refused'],
    [409, {}, 'refused', 'refused'],
  ])('%d %j: %s without an id, %s with one', (status, more, withoutId, withId) => {
    expect(judgeAnswer(httpError(status, more))).toBe(withoutId)
    expect(judgeAnswer(httpError(status, { ...more, executionId: 'e-1' }))).toBe(withId)
  })

  it.each([
    [301, 'refused', 'refused'],
    [307, 'refused', 'refused'],
    [308, 'refused', 'refused'],
    [302, 'unclear', 'accepted'],
    [303, 'unclear', 'accepted'],
  ])('a redirect of %d: %s without an id, %s with one', (status, withoutId, withId) => {
    expect(judgeAnswer(new RedirectError(status, '/x'))).toBe(withoutId)
    expect(judgeAnswer(new RedirectError(status, '/x', 'e-1'))).toBe(withId)
  })
})
