import { describe, expect, it } from '@jest/globals'
import { parseJson, isWebPage } from '../../../src/service/answer-body.ts'

const nested = (depth: number) => '[1,'.repeat(depth) + '0' + ']'.repeat(depth)

describe('the JSON of an answer', () => {
  it('is read with and without a byte order mark', () => {
    expect(parseJson('{"a":"\ufeff"}')).toEqual({ a: '\ufeff' })
    expect(parseJson('\ufeff{"a":"\ufeff"}')).toEqual({ a: '\ufeff' })
  })

  it.each(['', ' ', '\ufeff\ufeff{}', '{"a":', '<html>'])('is none in %j', (text) => {
    expect(parseJson(text)).toBeUndefined()
  })

  it('stays as it is to a depth of 100, and is cut there', () => {
    expect(JSON.stringify(parseJson(nested(100)))).toBe(nested(100))
    expect(JSON.stringify(parseJson(nested(101)))).toBe(nested(101).replace('[1,0]', 'null'))
    expect(JSON.stringify(parseJson(`{"__proto__":${nested(200_000)}}`))).toHaveLength(
      '{"__proto__":null}'.length + nested(99).length - 1,
    )
  })
})

it.each([
  ['text/html; charset=utf-8', ''],
  ['application/xhtml+xml', '<?xml version="1.0"?>'],
  [undefined, '<!DOCTYPE html>'],
  [undefined, '<!doctype  \n html>'],
  ['application/json', '\ufeff\r\n <HTML lang="en">'],
])('%s %j is a web page', (type, body) => {
  expect(isWebPage({ headers: type === undefined ? {} : { 'content-type': type }, body })).toBe(
    true,
  )
})

it.each([
  ['application/json', '{"html":1}'],
  ['text/plain', 'see <html>'],
  ['application/xml', '<?xml version="1.0"?><Error/>'],
  [undefined, '<htmlx>'],
])('%s %j is none', (type, body) => {
  expect(isWebPage({ headers: type === undefined ? {} : { 'content-type': type }, body })).toBe(
    false,
  )
})
