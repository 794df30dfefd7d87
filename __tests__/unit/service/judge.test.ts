import { describe, expect, it } from '@jest/globals'
import { MalformedAnswer, NetworkFailure, Redirected } from '../../../src/service/failures.ts'
import { judge } from '../../../src/service/resend.ts'
import { connectionRefused, connectionReset, refusal } from '../../support/failures.ts'

describe('a start is sent again', () => {
  it('when no connection was made', () => {
    expect(judge(connectionRefused())).toBe('send-again')
  })

  it('after 429, with or without Retry-After', () => {
    expect(judge(refusal(429))).toBe('send-again')
    expect(judge(refusal(429, { retryAfter: 5_000 }))).toBe('send-again')
  })

  it('after 503 with Retry-After, be it 0', () => {
    expect(judge(refusal(503, { retryAfter: 5_000 }))).toBe('send-again')
    expect(judge(refusal(503, { retryAfter: 0 }))).toBe('send-again')
  })
})

describe('a start was not taken, for good', () => {
  it.each([400, 401, 402, 403, 404, 405, 409, 410, 413, 414, 415, 422, 431])(
    'after %d',
    (status) => {
      expect(judge(refusal(status))).toBe('refused')
      expect(judge(refusal(status, { retryAfter: 1_000 }))).toBe('refused')
    },
  )

  it.each([301, 307, 308])('after %d, which asks for the same elsewhere', (status) => {
    expect(judge(new Redirected(status, 'https://elsewhere.example'))).toBe('refused')
  })
})

describe('a start may or may not have been taken', () => {
  it('when the connection broke after it was made', () => {
    expect(judge(connectionReset())).toBe('unclear')
    expect(judge(new NetworkFailure('half an answer', { mayHaveArrived: true }))).toBe('unclear')
  })

  it.each([408, 500, 501, 502, 503, 504, 507, 520, 599])('after %d', (status) => {
    expect(judge(refusal(status))).toBe('unclear')
  })

  it.each([408, 500, 502, 504])('after %d, whatever its Retry-After says', (status) => {
    expect(judge(refusal(status, { retryAfter: 1_000 }))).toBe('unclear')
  })

  it.each([300, 302, 303, 304])('after %d, which may follow a start that was taken', (status) => {
    expect(judge(new Redirected(status, '/started'))).toBe('unclear')
  })

  it('after a success that is not what the document describes', () => {
    expect(judge(new MalformedAnswer({ status: 200, headers: {} }, 'no id'))).toBe('unclear')
  })

  it('after anything nobody thought of', () => {
    expect(judge(new TypeError('a bug of ours'))).toBe('unclear')
    expect(judge(undefined)).toBe('unclear')
  })
})
