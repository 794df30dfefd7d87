import { describe, expect, it } from '@jest/globals'
import { z } from 'zod/mini'
import { HttpError } from '../../../src/service/service-errors.ts'
import { readAnswer, readStartAnswer, statusSchemaOf } from '../../../src/service/read-answer.ts'
import type { Answer } from '../../../src/service/transport.ts'

const tries = z.number().check(z.gte(1, 'too few'))
const nested = z.object({ run: z.object({ tries }), b: z.optional(z.boolean()) })

/** Returns what is read from an answer, or the error. By default, the answer is 200 and `{}`. */
function read(given: Partial<Answer>, schema: z.ZodMiniType = z.unknown()): unknown {
  const answer = { status: 200, headers: {}, body: '{}', receivedAt: 0, ...given }
  try {
    return readAnswer(answer, schema, 'GET /x', true)
  } catch (error) {
    return error
  }
}

describe('an answer', () => {
  it.each([200, 299])('of %d is read', (status) => {
    expect(read({ status, body: '{"id":7}' })).toEqual({ id: 7 })
  })

  it.each([
    [199, 'HttpError'],
    [300, 'RedirectError'],
    [399, 'RedirectError'],
    [400, 'HttpError'],
    [600, 'HttpError'],
  ])('of %d is a %s', (status, name) => expect(read({ status })).toMatchObject({ name, status }))

  it('that is an error has what was asked, and what the service asks for', () => {
    const headers = { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' }
    expect(read({ status: 503, headers, receivedAt: 2_000 })).toMatchObject({
      asked: 'GET /x',
      isProven: true,
      retryAfter: 7_000,
    })
  })

  it('may begin with a byte order mark', () => {
    expect(read({ body: '\ufeff{"a":"\ufeff"}' })).toEqual({ a: '\ufeff' })
  })
})

describe('a body that is not as documented', () => {
  it.each([
    [' \n', 'it is empty'],
    ['started', 'it is not JSON'],
    ['<!doctype html>', 'it is a web page; check base-url'],
    ['null', 'expected object, found null'],
    ['[]', 'expected object, found array'],
    ['{"run":{}}', 'run.tries: it is missing'],
    ['{"run":{"tries":"1"}}', 'run.tries: expected number, found string'],
    ['{"run":{"tries":0}}', 'run.tries: too few'],
    ['{"run":7,"b":1}', 'run: expected object, found number; b: expected boolean, found number'],
  ])('such as %j: %s', (body, why) => {
    expect(read({ body }, nested)).toMatchObject({
      message: `the service answered 200 with an unexpected body of type unknown: ${why}`,
    })
  })

  it.each([
    [true, 'text/html; charset=utf-8', ''],
    [true, 'text/html', '{"detail":"no access"}'],
    [true, 'application/xhtml+xml', '<?xml version="1.0"?>'],
    [true, undefined, '<!doctype  \n html>'],
    [true, 'application/json', '\ufeff\r\n <HTML lang="en">'],
    [false, 'text/plain', 'see <html>'],
    [false, 'application/xml', '<?xml version="1.0"?><Error/>'],
    [false, 'application/json', '{"detail":"<html>"}'],
    [false, undefined, '<htmlx>'],
  ])('is a web page: %s, for %s %j', (isWebPage, type, body) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    expect(read({ body, headers }, nested)).toMatchObject({ isWebPage })
    expect(read({ status: 403, body, headers })).toMatchObject({ isWebPage })
  })

  it('names a content encoding that was not undone', () => {
    const coded = { headers: { 'content-encoding': 'zstd' }, body: '(\ufffd/\ufffd' }
    const why = 'its content-encoding (zstd) cannot be undone'
    expect(read({ ...coded, status: 500 })).toMatchObject({ words: why })
    expect(read(coded, nested)).toMatchObject({ message: expect.stringContaining(`: ${why}`) })
  })
})

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

it.each([
  // The first documented member with a text.
  ['{"detail":"d","error":"e","message":"m"}', 'm'],
  ['{"detail":"d","error":"e","message":7}', 'e'],
  ['{"detail":"d","error":" \\n","message":""}', 'd'],
  // The whole body, without escapes that could hide a secret from the redaction.
  ['{"webhook": ["Enter a valid URL."]}', '{"webhook":["Enter a valid URL."]}'],
  ['{"error":{"code":7},"message":" "}', '{"error":{"code":7},"message":" "}'],
  ['["one\\n",null]', '["one\\n",null]'],
  // Nothing is said outside of the names.
  ['{"message":"","errors":[{"detail":null}]}', ''],
  ['[" "]', ''],
  ['{ "no": "a\\/b \\u0041 \\"c\\\\\\"d\\"" }', '{"no":"a/b A "c\\"d""}'],
  [deep, deep],
  ['  The seed is too large.\n', 'The seed is too large.'],
  ['', ''],
  // The title of a page.
  ['<html><head><title>413 Too Large</title></head><body>nginx</body></html>', '413 Too Large'],
  [' \n<title lang="en"> Bad Gateway\n</title>', 'Bad Gateway'],
  ['<!doctype html><p>no', '<!doctype html><p>no'],
])('the text of the error %.60j is %.60j', (body, words) => {
  const error = read({ status: 400, body })
  expect(error).toBeInstanceOf(HttpError)
  expect(error).toMatchObject({ words })
})

/** Reads the answer to a start with this body. Returns the start, or the error. */
function start(status: number, body: string): unknown {
  try {
    return readStartAnswer({ status, headers: {}, body, receivedAt: 0 }, 'POST /x', false)
  } catch (error) {
    return error
  }
}

describe('the answer to a start', () => {
  const named = '{"execution_id":"e-1","message":"busy"}'

  it.each([200, 202, 299, 302, 408, 500, 504])(
    'of %d with an id is an accepted start',
    (status) => {
      expect(start(status, named)).toEqual({ executionId: 'e-1', message: 'busy', status })
    },
  )

  it.each([409, 429, 503, 307])('of %d with an id is an error that names the id', (status) => {
    expect(start(status, named)).toMatchObject({ status, executionId: 'e-1' })
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
