import { describe, expect, it } from '@jest/globals'
import {
  MalformedAnswerError,
  noData,
  NetworkError,
  RedirectError,
  refusesCredentials,
  whyNotConnected,
  whyUnread,
} from '../../../src/service/service-errors.ts'
import { httpError } from '../../support/failures.ts'

describe('a failure says', () => {
  it('the status, and the text of the service if there is one', () => {
    expect(httpError(403, { words: 'no such project' }).message).toBe(
      'the service answered 403: no such project',
    )
    expect(httpError(502).message).toBe('the service answered 502')
    expect(httpError(403, { isWebPage: true }).message).toBe(
      'the service answered 403 with a web page',
    )
    expect(noData(30_000).message).toBe('no data for 30 s')
  })

  it('the address of a redirect', () => {
    expect(new RedirectError(307, 'https://login.example').message).toBe(
      'the service answered 307, a redirect to https://login.example/',
    )
    expect(new RedirectError(302, 'https://login.example').message).toBe(
      'the service answered 302, a redirect to https://login.example/',
    )
    expect(new RedirectError(304, undefined).message).toContain('a redirect to nowhere')
  })

  it.each([
    ['https://me:pass@login.example/sso?code=c0de#token=t', 'https://login.example/sso'],
    ['//login.example/sso?code=c0de', 'https://login.example/sso'],
    ['/login?next=%2Fapi&code=c0de', '/login'],
    ['?code=c0de', '/'],
    ['/a%20secret', '/…'],
    ['data:text/plain,c0de', 'a data: address'],
    ['https://:c0de', 'an invalid address'],
  ])('of the redirect address %s only %s', (location, shown) => {
    const { message } = new RedirectError(308, location)

    expect(message).toBe(`the service answered 308, a redirect to ${shown}`)
  })

  it('what was received in place of the documented answer', () => {
    const headers = { 'content-type': 'text/html' }

    expect(new MalformedAnswerError({ status: 200, headers }, 'no object').message).toBe(
      'the service answered 200 with an unexpected body of type text/html: no object',
    )
    expect(new MalformedAnswerError({ status: 204, headers: {} }, 'x').message).toContain(
      '204 with an unexpected body of type unknown',
    )
  })
})

it.each([
  [301, false],
  [302, true],
  [303, true],
  [307, false],
])('a redirect with %i counts as a web page: %s', (status, isWebPage) => {
  expect(new RedirectError(status, '/login').isWebPage).toBe(isWebPage)
})

it.each([
  [httpError(401), true],
  [httpError(403), true],
  [httpError(404), false],
  [httpError(401, { isWebPage: true }), false],
  [new NetworkError('cut', { mayHaveArrived: true }), false],
  ['no error', false],
])('%s refuses the credentials: %s', (failure, isRefusal) => {
  expect(refusesCredentials(failure)).toBe(isRefusal)
})

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code })

describe('why no connection was made', () => {
  it.each([
    [withCode('ERR_SSL_WRONG_VERSION_NUMBER', 'long'), 'TLS failed: wrong version number'],
    [new Error('x:SSL routines:f:unsupported protocol:y'), 'TLS failed: unsupported protocol'],
    [withCode('MY_ERR_SSL_X', 'refused'), 'refused'],
    [new Error('not trusted; if the root CA is installed locally, try x'), 'not trusted'],
    ['no error', 'no error'],
  ])('is, after %s: %s', (error, why) => expect(whyNotConnected(error)).toBe(why))
})

describe('why a body could not be read', () => {
  it.each([
    [new Error('aborted'), 'the connection was cut'],
    [new Error('incorrect header check'), 'incorrect header check'],
    [withCode('Z_DATA_ERROR', 'bad'), 'its content encoding could not be undone (bad)'],
    [withCode('ERR__ERROR_FORMAT_X', 'bad'), 'its content encoding could not be undone (bad)'],
    [withCode('EZ_X', 'bad'), 'bad'],
    [withCode('X_ERR_BROTLI', 'bad'), 'bad'],
    ['no error at all', 'no error at all'],
  ])('is, after %s: %s', (error, why) => expect(whyUnread(error)).toBe(why))
})
