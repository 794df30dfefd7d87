import path from 'node:path'
import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { extensionOf, mediaTypeOf } from '../../../src/download/download.ts'
import { readLastLines } from '../../../src/download/file-text.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

describe('a content type', () => {
  it.each([
    ['application/json', 'application/json', '.json'],
    ['application/json; charset=utf-8', 'application/json', '.json'],
    [' Text/CSV ; header=present', 'Text/CSV', '.csv'],
    ['X/Y+JSON', 'X/Y+JSON', '.json'],
    ['text/plain', 'text/plain', '.txt'],
    ['text/html', 'text/html', '.html'],
    ['application/xml', 'application/xml', '.xml'],
    ['application/pdf', 'application/pdf', '.pdf'],
    ['image/png', 'image/png', '.png'],
    ['application/zip', 'application/zip', '.zip'],
    ['application/vnd.hosting.rows+json', 'application/vnd.hosting.rows+json', '.json'],
    ['application/vnd.hosting+xml', 'application/vnd.hosting+xml', '.xml'],
    ['application/octet-stream', 'application/octet-stream', '.bin'],
    ['application/x-nobody-knows', 'application/x-nobody-knows', '.bin'],
    ['text/../../etc', 'text/../../etc', '.bin'],
    ['x/y+json/../..', 'x/y+json/../..', '.bin'],
    ['', '', '.bin'],
    [undefined, '', '.bin'],
  ])('%j is the media type %j, of files that end in %s', (contentType, mediaType, extension) => {
    expect(mediaTypeOf(contentType)).toBe(mediaType)
    expect(extensionOf(mediaType)).toBe(extension)
  })
})

async function lastLinesOf(text: string, limit: number): Promise<string> {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'run.log')
  await writeFile(file, text)
  return await readLastLines(file, limit)
}

describe('the last lines of a file', () => {
  it.each([
    ['are all of a short one', 'one\ntwo\n', 8, 'one\ntwo\n'],
    ['are whole', 'one\ntwo\nthree\n', 11, 'two\nthree\n'],
    ['are the end of a line that alone is longer', 'one\nlong line', 4, 'line'],
    ['are the end of such a line with its line break, too', 'one\nlong line\n', 5, 'line\n'],
  ])('%s', async (_, text, limit, shown) => {
    expect(await lastLinesOf(text, limit)).toBe(shown)
  })
})
