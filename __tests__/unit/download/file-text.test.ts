import path from 'node:path'
import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { readHead, readLastLines, readTail, textOf } from '../../../src/download/file-text.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** What a reader makes of a file with this content. */
async function reading<Read>(content: string, read: (file: string) => Promise<Read>) {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'run.log')
  await writeFile(file, content)
  return await read(file)
}

async function partOf(content: string, read: typeof readHead, limit: number) {
  const { bytes, ...rest } = await reading(content, (file) => read(file, limit))
  return { text: bytes.toString('utf8'), ...rest }
}

describe('of a file of six bytes', () => {
  it.each([
    ['the first four', readHead, 4, { text: 'abcd', size: 6, complete: false }],
    ['the last four', readTail, 4, { text: 'cdef', size: 6, complete: false }],
    ['all, where six are the limit,', readHead, 6, { text: 'abcdef', size: 6, complete: true }],
    ['all, where more are the limit,', readTail, 9, { text: 'abcdef', size: 6, complete: true }],
  ])('%s are read', async (_, read, limit, part) => {
    expect(await partOf('abcdef', read, limit)).toEqual(part)
  })
})

describe('the last lines of a file', () => {
  it.each([
    ['are all of a short one', 'one\ntwo\n', 8, 'one\ntwo\n'],
    ['are whole', 'one\ntwo\nthree\n', 11, 'two\nthree\n'],
    ['are the end of a line that alone is longer', 'one\nlong line', 4, 'line'],
    ['are the end of such a line with its line break, too', 'one\nlong line\n', 5, 'line\n'],
  ])('%s', async (_, text, limit, shown) => {
    expect(await reading(text, (file) => readLastLines(file, limit))).toBe(shown)
  })
})

const asText = (bytes: Buffer, complete: boolean) =>
  textOf({ bytes, complete, size: complete ? bytes.length : 1_000 })

describe('the text of a part', () => {
  it('is all of it, a byte order mark included', () => {
    expect(asText(Buffer.from('\ufeffgrün'), true)).toBe('\ufeffgrün')
  })

  it('leaves out the beginning of a character that the part ends within', () => {
    expect(asText(Buffer.from('grü').subarray(0, 3), false)).toBe('gr')
  })

  it.each([
    ['a whole file ends within a character', Buffer.from('grü').subarray(0, 3), true],
    ['bytes are no UTF-8', Buffer.from([0x67, 0xff, 0x72]), false],
    ['it has a NUL', Buffer.from('a\0b'), true],
  ])('is none where %s', (_, bytes, complete) => {
    expect(asText(bytes, complete)).toBeUndefined()
  })
})
