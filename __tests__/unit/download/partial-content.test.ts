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

/** A file that has the first five bytes of ten. */
async function halfAFile(folder: string, headers: Record<string, string> = whole) {
  const file = new ResumableFile(path.join(folder, 'result.part'))
  await file.begin(200, headers)
  await file.write(Buffer.from('01234'))
  return file
}

describe('a file that came in half', () => {
  it('asks for its rest, on the condition that it is the same', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path)

    expect(file.resumption()).toEqual({ range: 'bytes=5-', 'if-range': etag })
    await file.discard()
  })

  it.each([
    ['has no ETag', { 'content-length': '10' }],
    ['has a weak one', { ...whole, etag: 'W/"v1"' }],
    ['has one that no ETag may be', { ...whole, etag: '"v1"x' }],
  ])('asks for the whole when the store %s', async (_what, headers) => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path, headers)

    expect(file.resumption()).toEqual({})
    await file.discard()
  })

  it.each([part('5-9/10'), part('5-9/*'), { 'content-range': 'bytes 5-9/10' }])(
    'goes on with %j',
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
  ])('takes no %s, and starts over', async (_what, headers) => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path)

    await rejectionOf(file.begin(206, headers))

    expect([file.received, file.resumption(), existsSync(file.path)]).toEqual([0, {}, false])
  })

  it('learns from its rest how long it has to be', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path, { etag })

    await file.begin(206, part('5-9/10'))
    await file.write(Buffer.from('567'))

    expect(await rejectionOf(file.complete())).toMatchObject({ message: '8 of 10 bytes came' })
    await file.discard()
  })

  it('starts over with a whole answer', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path)

    await file.begin(200, { etag: '"v2"', 'content-length': '3' })
    await file.write(Buffer.from('new'))
    await file.complete()

    expect(await readFile(file.path, 'utf8')).toBe('new')
  })

  it('is not complete, and can be resumed', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path)

    expect(await rejectionOf(file.complete())).toMatchObject({ message: '5 of 10 bytes came' })
    expect(file.resumption()).toMatchObject({ range: 'bytes=5-' })
    await file.discard()
  })
})

describe('a part', () => {
  it.each(['xbytes 5-9/10', 'bytes 5-9/10x', undefined])(
    'that says where it belongs with %j is refused',
    async (range) => {
      await using folder = await makeTemporaryFolder()
      const file = await halfAFile(folder.path, { etag })
      const refused = file.begin(206, { etag, 'content-range': range })
      await expect(refused).rejects.toThrow('another part than the one asked for')
    },
  )

  it('is the whole, when the status says so', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await halfAFile(folder.path, { etag })
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
