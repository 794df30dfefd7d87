import path from 'node:path'
import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { readBeginning, readTail } from '../../../src/download/file-text.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** Returns what `read` returns for a file with this content. */
async function reading<Read>(content: string | Buffer, read: (file: string) => Promise<Read>) {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'run.log')
  await writeFile(file, content)
  return await read(file)
}

describe('a file of six bytes', () => {
  it.each([
    ['the first four', 4, { text: 'abcd', size: 6, complete: false }],
    ['all bytes with a limit of six', 6, { text: 'abcdef', size: 6, complete: true }],
  ])('%s are read', async (_, limit, beginning) => {
    expect(await reading('abcdef', (file) => readBeginning(file, limit))).toEqual(beginning)
  })

  it.each([
    ['the last four', 4, 'cdef'],
    ['all bytes with a higher limit', 9, 'abcdef'],
  ])('%s are read', async (_, limit, end) => {
    const { bytes, complete } = await reading('abcdef', (file) => readTail(file, limit))
    expect([bytes.toString('utf8'), complete]).toEqual([end, end.length === 6])
  })
})

const beginningOf = async (content: Buffer, limit = 100) =>
  (await reading(content, (file) => readBeginning(file, limit))).text

describe('the text of a beginning', () => {
  it('is the whole text, with its byte order mark', async () => {
    expect(await beginningOf(Buffer.from('\ufeffgrün'))).toBe('\ufeffgrün')
  })

  it('leaves out an incomplete character at its end', async () => {
    expect(await beginningOf(Buffer.from('grün'), 3)).toBe('gr')
  })

  it.each([
    ['a whole file ends within a character', Buffer.from('grü').subarray(0, 3)],
    ['bytes are no UTF-8', Buffer.from([0x67, 0xff, 0x72])],
    ['it has a NUL', Buffer.from('a\0b')],
  ])('is undefined if %s', async (_, bytes) => {
    expect(await beginningOf(bytes)).toBeUndefined()
  })
})
