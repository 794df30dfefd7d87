import { describe, expect, it } from '@jest/globals'
import { z } from 'zod/mini'
import { HttpError } from '../../../src/service/service-errors.ts'
import { readAnswer, readStartAnswer, statusSchemaOf } from '../../../src/service/read-answer.ts'
import type { Answer } from '../../../src/service/transport.ts'

const tries = z.number().check(z.gte(1, 'too few'))
const nested = z.object({ run: z.object({ tries }), b: z.optional(z.boolean()) })

/** Reads an answer. By default, the answer is an empty object with status 200. */
function read(given: Partial<Answer>, schema: z.ZodMiniType = z.unknown()) {
  return readAnswer(
    { status: 200, headers: {}, body: '{}', receivedAt: 0, ...given },
    schema,
    'GET /x',
  )
}

const failing = (given: Partial<Answer>, schema?: z.ZodMiniType) => () => read(given, schema)

describe('an answer is read', () => {
  it.each([200, 299])('with the status %d', (status) => {
    expect(read({ status, body: '{"id":7}' })).toEqual({ id: 7 })
  })

  it.each([
    [199, 'MalformedAnswerError'],
    [300, 'RedirectError'],
    [399, 'RedirectError'],
    [400, 'HttpError'],
    [599, 'HttpError'],
    [600, 'MalformedAnswerError'],
  ])('with the status %d as a %s', (status, name) => {
    expect(failing({ status })).toThrow(expect.objectContaining({ name }))
  })

  it('with an unknown status as no answer of the service', () => {
    expect(failing({ status: 999 })).toThrow(
      'the service answered 999 with an unexpected body of type unknown: no such status is known',
    )
  })
})

describe('a body that is not as documented', () => {
  it.each([
    ['', {}, 'it is empty'],
    [' \n', {}, 'it is empty'],
    ['started', {}, 'it is not JSON'],
    ['<!doctype html>', {}, 'it is a web page; check base-url'],
  ])('such as %j with %j: %s', (body, headers, why) => {
    expect(failing({ body, headers }, nested)).toThrow(new RegExp(`body of type .*: ${why}$`))
  })

  it.each([
    ['text/html; charset=utf-8', ''],
    ['application/xhtml+xml', '<?xml version="1.0"?>'],
    [undefined, '<!doctype  \n html>'],
    ['application/json', '\ufeff\r\n <HTML lang="en">'],
  ])('and is a web page: %s %j', (type, body) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    expect(failing({ body, headers }, nested)).toThrow(expect.objectContaining({ isWebPage: true }))
  })

  it.each([
    ['text/plain', 'see <html>'],
    ['application/xml', '<?xml version="1.0"?><Error/>'],
    [undefined, '<htmlx>'],
  ])('and is no web page: %s %j', (type, body) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    expect(failing({ body, headers }, nested)).toThrow(
      expect.objectContaining({ isWebPage: false }),
    )
  })

  it.each([
    ['null', 'expected object, found null'],
    ['[]', 'expected object, found array'],
    ['{"run":{}}', 'run.tries: it is missing'],
    ['{"run":{"tries":"1"}}', 'run.tries: expected number, found string'],
    ['{"run":{"tries":0}}', 'run.tries: too few'],
    ['{"run":7,"b":1}', 'run: expected object, found number; b: expected boolean, found number'],
  ])('such as %s: %s', (body, why) => {
    expect(failing({ body }, nested)).toThrow(new RegExp(`body of type .*: ${why}$`))
  })
})

/** Returns key and words of the error for an answer with this body. */
function refusal(body: string) {
  const error: unknown = expectThrown(failing({ status: 400, body }))
  if (!(error instanceof HttpError)) throw error
  return { key: error.key, words: error.words }
}

function expectThrown(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

const wordsOf = (json: unknown) => refusal(JSON.stringify(json))

describe('the text of an error answer', () => {
  it.each([
    [{ message: 'no such project' }, 'message', 'no such project'],
    [{ error: 'not found' }, 'error', 'not found'],
    [{ detail: 'no credentials' }, 'detail', 'no credentials'],
    [{ detail: 'd', error: 'e', message: 'm' }, 'message', 'm'],
    [{ message: 7, error: 'e' }, 'error', 'e'],
    [{ message: '', error: 'e' }, 'error', 'e'],
    [{ message: ' \n', error: 'e' }, 'error', 'e'],
  ])('of %j is under a documented key', (json, key, words) => {
    expect(wordsOf(json)).toEqual({ key, words })
  })

  it.each([
    [{ webhook: ['Enter a valid URL.'] }, '{"webhook":["Enter a valid URL."]}'],
    [{ error: { code: 7 }, message: ' ' }, '{"error":{"code":7},"message":" "}'],
    [['one\n', null], '["one\\n",null]'],
  ])('of %j is the whole body', (json, words) => {
    expect(wordsOf(json)).toEqual({ key: undefined, words })
  })

  it('has no escapes, which could hide a secret from the redaction', () => {
    expect(refusal('{ "no": "a\\/b \\u0041 \\"c\\\\\\"d\\"" }').words).toBe(
      '{"no":"a/b A "c\\"d""}',
    )
  })

  it.each([
    ['  The seed is too large.\n', 'The seed is too large.'],
    ['<html><head><title>413 Too Large</title></head><body>nginx</body></html>', '413 Too Large'],
    [' \n<title lang="en"> Bad Gateway\n</title>', 'Bad Gateway'],
    ['<!doctype html><p>no', '<!doctype html><p>no'],
    ['', ''],
  ])('that is not JSON (%j) is the title of a page, or the body', (body, words) => {
    expect(refusal(body)).toEqual({ key: undefined, words })
  })

  it.each([
    ['text/html', '<title>Access denied</title>', true],
    ['text/html', '{"detail":"no access"}', true],
    ['application/json', '{"detail":"<html>"}', false],
  ])('says whether a %s body is a web page: %s', (type, body, isWebPage) => {
    const headers = { 'content-type': type }
    expect(failing({ status: 403, headers, body })).toThrow(expect.objectContaining({ isWebPage }))
  })

  it('names a content encoding that was not undone', () => {
    const headers = { 'content-encoding': 'zstd' }
    expect(failing({ status: 500, headers, body: '(\ufffd/\ufffd' })).toThrow(
      'the service answered 500: its content-encoding (zstd) cannot be undone',
    )
    expect(failing({ headers, body: '(\ufffd/\ufffd' }, nested)).toThrow(
      /: its content-encoding \(zstd\) cannot be undone$/,
    )
  })

  it('is read although it is nested too deeply', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(refusal(deep).words).toBe(deep)
  })
})

describe('the JSON of an answer', () => {
  it('is read with and without a byte order mark', () => {
    expect(read({ body: '{"a":"\ufeff"}' })).toEqual({ a: '\ufeff' })
    expect(read({ body: '\ufeff{"a":"\ufeff"}' })).toEqual({ a: '\ufeff' })
  })
})

/** Reads the answer to a start with this body. Returns the start, or the error. */
function start(status: number, body: string, isProven = false) {
  const answer = { status, headers: {}, body, receivedAt: 0 }
  return expectThrown(() => readStartAnswer(answer, 'POST /x', isProven))
}

describe('the answer to a start', () => {
  const named = '{"execution_id":"e-1","message":"busy"}'

  it.each([200, 202, 299, 302, 408, 500, 504])(
    'of %d with an id is an accepted start',
    (status) => {
      expect(start(status, named)).toEqual({ executionId: 'e-1', message: 'busy', status })
    },
  )

  it.each([
    [409, 'the service answered 409 and named execution e-1: busy'],
    [429, 'the service answered 429 and named execution e-1: busy'],
    [503, 'the service answered 503 and named execution e-1: busy'],
    [307, 'the service answered 307, a redirect to nowhere, and named execution e-1'],
  ])('of %d with an id is an error that names the id', (status, message) => {
    expect(start(status, named)).toMatchObject({ executionId: 'e-1', message })
  })

  it.each([
    '{"execution_id":"e-1","messa',
    '{"run":{"execution_id":"e-1"}}',
    '[{"execution_id":"e-1"}]',
    '{"execution_id":".."}',
    '"e-1"',
  ])('of 500 has no id at the top level of a whole body: %s', (body) => {
    expect(start(500, body)).toMatchObject({ name: 'HttpError', executionId: undefined })
  })
})

describe('an id that is a JSON number', () => {
  it.each(['7', '0', '12345678901234567890', '-9223372036854775808', '1'.repeat(200)])(
    'is an id, digit by digit: %s',
    (id) => {
      expect(start(200, `{"execution_id":${id}}`)).toMatchObject({ executionId: id })
      expect(start(200, `{"exec_uuid": ${id} }`)).toMatchObject({ executionId: id })
      const flags = '"finished":true,"error":false,"stopped":false,"container_error":false'
      expect(read({ body: `{"exec_uuid":${id},${flags}}` }, statusSchemaOf('e-1'))).toMatchObject({
        exec_uuid: id,
      })
    },
  )

  it.each(['1.0', '1e3', '1e400', '1'.repeat(201)])('is no id if it is %s', (id) => {
    expect(start(200, `{"execution_id":${id}}`)).toMatchObject({ name: 'MalformedAnswerError' })
  })
})
