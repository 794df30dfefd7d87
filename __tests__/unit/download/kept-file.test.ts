import { describe, expect, it } from '@jest/globals'
import { extensionOf, mediaTypeOf, savedPathOf } from '../../../src/download/download.ts'

describe('a content type', () => {
  it.each([
    ['application/json; charset=utf-8', 'application/json', '.json'],
    [' Text/CSV ; header=present', 'Text/CSV', '.csv'],
    ['application/vnd.hosting+xml', 'application/vnd.hosting+xml', '.xml'],
    ['application/x-ndjson', 'application/x-ndjson', '.ndjson'],
    ['application/jsonl', 'application/jsonl', '.jsonl'],
    ['application/jsonlines', 'application/jsonlines', '.jsonl'],
    ['application/vnd.apache.parquet', 'application/vnd.apache.parquet', '.parquet'],
    ['text/json', 'text/json', '.json'],
    ['image/jpg', 'image/jpg', '.jpg'],
    ['application/x-nobody-knows', 'application/x-nobody-knows', '.bin'],
    ['x/y+json/../..', 'x/y+json/../..', '.bin'],
    [undefined, '', '.bin'],
  ])('%j is the media type %j, of files that end in %s', (contentType, mediaType, extension) => {
    expect(mediaTypeOf(contentType)).toBe(mediaType)
    expect(extensionOf(mediaType)).toBe(extension)
  })
})

it('the path of a file that was not kept is empty', () => {
  const file = { kind: 'file', path: '/tmp/result.csv', mediaType: 'text/csv', size: 4 } as const

  expect(savedPathOf(file)).toBe('/tmp/result.csv')
  expect(savedPathOf({ kind: 'not-kept' })).toBe('')
  expect(savedPathOf({ kind: 'unavailable', why: 'the store answered 403' })).toBe('')
})
