import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { ResumableFile } from '../../../src/download/resumable-file.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const etag = '"v1"'
const whole = { etag, 'content-length': '10' }
const part = (range: string, given = {}) => ({ etag, 'content-range': `bytes ${range}`, ...given })

/** Returns a file that has the first five of ten bytes. */
async function halfAFile(folder: string, headers: Record<string, string> = whole) {
  const file = new ResumableFile(path.join(folder, 'result.part'))
  await file.begin(200, headers)
  await file.write(Buffer.from('01234'))
  return file
}

describe('a file of which half was received', () => {
  it.each([part('5-9/10'), part('5-9/*'), { 'content-range': 'bytes 5-9/10' }])(
    'continues with %j',
    async (headers) => {
      await using folder = await makeTemporaryFolder()
      const file = await halfAFile(folder.path)

      await file.begin(206, headers)
      await file.write(Buffer.from('56789'))
      await file.complete()

      expect(await readFile(file.path, 'utf8')).toBe('0123456789')
    },
  )

  it.each([
    ['an earlier part', part('4-9/10')],
    ['a later part', part('6-9/10')],
    ['a part of another file', part('5-9/10', { etag: '"v2"' })],
    ['a part of a longer file', part('5-10/11')],
    ['a part in another encoding', part('5-9/10', { 'content-encoding': 'gzip' })],
    ['a part without its place', { etag }],
    ['several parts at once', { etag, 'content-type': 'multipart/byteranges' }],
    ['a part, if no answer names the length of the file,', part('5-9/*'), { etag }],
  ])('refuses %s and starts over', async (_what, headers, first = whole) => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path, first)

    await rejectionOf(file.begin(206, headers))

    expect([file.received, file.resumption(), existsSync(file.path)]).toEqual([0, {}, false])
  })

  it('takes its length from the second answer', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path, { etag })

    await file.begin(206, part('5-9/10'))
    await file.write(Buffer.from('567'))

    expect(await rejectionOf(file.complete())).toMatchObject({ message: '8 of 10 bytes arrived' })
    await file.discard()
  })
})

describe('a part', () => {
  it.each(['xbytes 5-9/10', 'bytes 5-9/10x', undefined])(
    'with the content-range %j is refused',
    async (range) => {
      await using folder = await makeTemporaryFolder()
      const file = await halfAFile(folder.path, { etag })
      const refused = file.begin(206, { etag, 'content-range': range })
      await expect(refused).rejects.toThrow('a part that does not continue the file')
    },
  )

  it('with the status 200 counts as the whole file', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path, { etag })
    await file.begin(200, { etag, 'content-range': 'bytes 5-9/10' })
    expect(file.received).toBe(0)
    await file.discard()
  })
})

describe('a file', () => {
  it('discarded right after its beginning leaves nothing on the disk', async () => {
    await using folder = await makeTemporaryFolder()
    const file = new ResumableFile(path.join(folder.path, 'result.part'))

    await file.begin(200, {})
    await file.discard()
    await new Promise((resolve) => setImmediate(resolve))

    expect(existsSync(file.path)).toBe(false)
  })

  it.each(['gzip', undefined])('whose signal aborted accepts no byte (%s)', async (encoding) => {
    await using folder = await makeTemporaryFolder()
    const cancellation = new AbortController()
    const file = new ResumableFile(path.join(folder.path, 'result.part'), cancellation.signal)
    await file.begin(200, encoding ? { 'content-encoding': encoding } : {})

    cancellation.abort()

    await rejectionOf(file.write(gzipSync('rows')))
    expect(existsSync(file.path)).toBe(false)
  })

  it.each(['gzip', undefined])('that cannot be written fails (%s)', async (encoding) => {
    await using folder = await makeTemporaryFolder()
    const file = new ResumableFile(path.join(folder.path, 'missing', 'result.part'))
    const bytes = Buffer.alloc(5 * 1024 * 1024)
    await file.begin(200, encoding ? { 'content-encoding': encoding } : {})

    const failure = await rejectionOf(file.write(encoding ? gzipSync(bytes) : bytes))

    expect(failure).toMatchObject({ name: 'UnwritableFile', cause: { code: 'ENOENT' } })
  })
})

describe('the end of a file', () => {
  it('within its encoding is an error, and leaves nothing on the disk', async () => {
    await using folder = await makeTemporaryFolder()
    const file = new ResumableFile(path.join(folder.path, 'result.part'))
    await file.begin(200, { 'content-encoding': 'gzip' })
    await file.write(gzipSync('0123456789').subarray(0, 15))
    await expect(file.complete()).rejects.toThrow('unexpected end of file')
    expect(existsSync(file.path)).toBe(false)
  })
})
