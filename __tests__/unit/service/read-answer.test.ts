import { describe, expect, it } from '@jest/globals'
import { z } from 'zod/mini'
import { readAnswer } from '../../../src/service/read-answer.ts'
import type { Answer } from '../../../src/service/transport.ts'

const nested = z.object({ run: z.object({ tries: z.number().check(z.gte(1, 'too few')) }) })

/** What reading an answer gives, with nothing special but what is given. */
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

  it('with a status that nobody knows as no answer of the service', () => {
    expect(failing({ status: 999 })).toThrow(
      'the service answered 999 (no content type) with something unexpected: no such status is known',
    )
  })
})

describe('a body that is not as documented', () => {
  it.each([
    ['', {}, 'it is empty'],
    [' \n', {}, 'it is empty'],
    ['started', {}, 'it is not JSON'],
    ['<!doctype html>', {}, 'it looks like a web page, not like the service: check base-url'],
    [
      'welcome',
      { 'content-type': 'text/html' },
      'it looks like a web page, not like the service: check base-url',
    ],
  ])('such as %j with %j: %s', (body, headers, why) => {
    expect(failing({ body, headers }, nested)).toThrow(new RegExp(`something unexpected: ${why}$`))
  })

  it.each([
    ['null', 'expected object, found null'],
    ['[]', 'expected object, found array'],
    ['{"run":{}}', 'run.tries: expected number, found undefined'],
    ['{"run":{"tries":"1"}}', 'run.tries: expected number, found string'],
    ['{"run":{"tries":0}}', 'run.tries: too few'],
  ])('such as %s: %s', (body, why) => {
    expect(failing({ body }, nested)).toThrow(new RegExp(`something unexpected: ${why}$`))
  })
})
