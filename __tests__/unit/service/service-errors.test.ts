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

const page = { 'content-type': 'text/html' }
const redirect = (status: number, location?: string, id?: string) =>
  new RedirectError(status, location, id)

it.each([
  [httpError(502), 'the service answered 502'],
  [httpError(403, { words: 'no such project' }), 'the service answered 403: no such project'],
  [httpError(403, { isWebPage: true }), 'the service answered 403 with a web page'],
  [
    httpError(409, { words: 'busy', executionId: 'e-1' }),
    'the service answered 409 and named execution e-1: busy',
  ],
  [redirect(304), 'the service answered 304 without a redirect address'],
  [
    redirect(304, undefined, 'e-1'),
    'the service answered 304 without a redirect address, and named execution e-1',
  ],
  [
    redirect(307, '/x', 'e-1'),
    'the service answered 307, a redirect to /x, and named execution e-1',
  ],
  [
    new MalformedAnswerError({ status: 200, headers: page }, 'no object', false),
    'the service answered 200 with an unexpected body of type text/html: no object',
  ],
  [
    new MalformedAnswerError({ status: 204, headers: {} }, 'x', false),
    'the service answered 204 with an unexpected body of type unknown: x',
  ],
  [noData(30_000), 'no data for 30 s'],
])('%p says: %s', ({ message }, words) => expect(message).toBe(words))

it.each([
  ['https://login.example', 'https://login.example/'],
  ['https://me:pass@login.example/sso?code=c0de#token=t', 'https://login.example/sso'],
  ['//login.example/sso?code=c0de', 'https://login.example/sso'],
  ['/login?next=%2Fapi&code=c0de', '/login'],
  ['?code=c0de', '/'],
  ['/a%20secret', '/…'],
  ['data:text/plain,c0de', 'an invalid address'],
  ['xhttps:c0de', 'an invalid address'],
  ['https://:c0de', 'an invalid address'],
])('of the redirect address %s only %s is shown', (location, shown) => {
  expect(redirect(308, location).message).toBe(`the service answered 308, a redirect to ${shown}`)
})

it.each([
  [redirect(301, '/login'), false],
  [redirect(302, '/login'), true],
  [redirect(303, '/login'), true],
  [redirect(307, '/login'), false],
])('%s counts as a web page: %s', (failure, isWebPage) => expect(failure.isWebPage).toBe(isWebPage))

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
