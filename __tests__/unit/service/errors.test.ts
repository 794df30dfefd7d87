import { describe, expect, it } from '@jest/globals'
import {
  MalformedAnswerError,
  NetworkError,
  RedirectError,
  ServiceError,
} from '../../../src/service/errors.ts'
import { httpError } from '../../support/failures.ts'

describe('a failure says', () => {
  it('the status, and the text of the service where there is one', () => {
    expect(httpError(403, { words: 'no such project' }).message).toBe(
      'the service answered 403: no such project',
    )
    expect(httpError(502).message).toBe('the service answered 502')
  })

  it('where a redirect pointed', () => {
    expect(new RedirectError(307, 'https://login.example').message).toBe(
      'the service answered 307, a redirect to https://login.example',
    )
    expect(new RedirectError(302, 'https://login.example').message).toBe(
      'the service answered 302, a redirect to https://login.example (it looks like a web page, not like the service: check base-url)',
    )
    expect(new RedirectError(304, undefined).message).toContain('a redirect to nowhere')
  })

  it('what came in place of the documented answer', () => {
    const headers = { 'content-type': 'text/html' }

    expect(new MalformedAnswerError({ status: 200, headers }, 'no object').message).toBe(
      'the service answered 200 (text/html) with something unexpected: no object',
    )
    expect(new MalformedAnswerError({ status: 204, headers: {} }, 'x').message).toContain(
      '204 (no content type)',
    )
  })

  it('its cause, and how long the service asked to wait', () => {
    const cause = new Error('ECONNRESET')
    const failure = new NetworkError('reset', { mayHaveArrived: true, cause })

    expect(failure).toBeInstanceOf(ServiceError)
    expect(failure).toMatchObject({ cause, retryAfter: undefined, mayHaveArrived: true })
    expect(httpError(429, { retryAfter: 7_000 }).retryAfter).toBe(7_000)
  })

  it('its name', () => {
    const malformed = new MalformedAnswerError({ status: 200, headers: {} }, 'x')
    const failures = [httpError(400), new RedirectError(301, ''), malformed]

    expect(failures.map(({ name }) => name)).toEqual([
      'HttpError',
      'RedirectError',
      'MalformedAnswerError',
    ])
  })
})
