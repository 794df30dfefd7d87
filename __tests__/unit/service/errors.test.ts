import { describe, expect, it } from '@jest/globals'
import { MalformedAnswerError, RedirectError, whyUnread } from '../../../src/service/errors.ts'
import { httpError } from '../../support/failures.ts'

describe('a failure says', () => {
  it('the status, and the text of the service if there is one', () => {
    expect(httpError(403, { words: 'no such project' }).message).toBe(
      'the service answered 403: no such project',
    )
    expect(httpError(502).message).toBe('the service answered 502')
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

describe('why a body could not be read', () => {
  it.each([
    [new Error('aborted'), 'the connection was cut'],
    [new Error('incorrect header check'), 'incorrect header check'],
    ['no error at all', 'no error at all'],
  ])('is, after %s: %s', (error, why) => expect(whyUnread(error)).toBe(why))
})
