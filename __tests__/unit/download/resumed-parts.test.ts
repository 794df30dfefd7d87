import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { ResumableFile } from '../../../src/download/resumable-file.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const etag = '"v1"'

async function begun(folder: string, headers: Record<string, string>, first = '') {
  const file = new ResumableFile(path.join(folder, 'result.part'))
  await file.begin(200, headers)
  if (first) await file.write(Buffer.from(first))
  return file
}

describe('a file that has nothing yet', () => {
  it('asks for the whole', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await begun(folder.path, { etag })
    expect(file.resumption()).toEqual({})
    await file.discard()
  })

  it('takes no bytes before the head of an answer', async () => {
    const file = new ResumableFile('never-made.part')
    await expect(file.write(Buffer.from('x'))).rejects.toThrow('nothing has begun')
  })
})

describe('a part', () => {
  it.each(['xbytes 5-9/10', 'bytes 5-9/10x', undefined])(
    'that says where it belongs with %j is refused',
    async (range) => {
      await using folder = await makeTemporaryFolder()
      const file = await begun(folder.path, { etag }, '01234')
      const refused = file.begin(206, { etag, 'content-range': range })
      await expect(refused).rejects.toThrow('another part than the one asked for')
    },
  )

  it('is the whole, when the status says so', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await begun(folder.path, { etag }, '01234')
    await file.begin(200, { etag, 'content-range': 'bytes 5-9/10' })
    expect(file.received).toBe(0)
    await file.discard()
  })

  it('goes on in the encoding in which the file began', async () => {
    await using folder = await makeTemporaryFolder()
    const encoded = gzipSync('0123456789')
    const file = new ResumableFile(path.join(folder.path, 'result.part'))
    await file.begin(200, { etag, 'content-encoding': 'gzip' })
    await file.write(encoded.subarray(0, 12))
    const range = `bytes 12-${String(encoded.length - 1)}/${String(encoded.length)}`
    await file.begin(206, { etag, 'content-encoding': 'gzip', 'content-range': range })
    await file.write(encoded.subarray(12))
    await file.complete()
    expect(await readFile(file.path, 'utf8')).toBe('0123456789')
  })
})

describe('the end of a file', () => {
  it.each(['7x', 'x7'])('is not measured by a length that is no number: %s', async (length) => {
    await using folder = await makeTemporaryFolder()
    const file = await begun(folder.path, { 'content-length': length }, '01234')
    await file.complete()
    expect(await readFile(file.path, 'utf8')).toBe('01234')
  })

  it('in the middle of its encoding is none, and leaves nothing behind', async () => {
    await using folder = await makeTemporaryFolder()
    const file = new ResumableFile(path.join(folder.path, 'result.part'))
    await file.begin(200, { 'content-encoding': 'gzip' })
    await file.write(gzipSync('0123456789').subarray(0, 15))
    await expect(file.complete()).rejects.toThrow('unexpected end of file')
    expect(existsSync(file.path)).toBe(false)
  })
})
