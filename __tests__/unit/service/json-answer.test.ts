import { describe, expect, it } from '@jest/globals'
import { parseJson } from '../../../src/service/answer-body.ts'

const nested = (depth: number) => '[1,'.repeat(depth) + '0' + ']'.repeat(depth)

describe('the JSON of an answer', () => {
  it('is read with and without a byte order mark', () => {
    expect(parseJson('{"a":1}')).toEqual({ a: 1 })
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
