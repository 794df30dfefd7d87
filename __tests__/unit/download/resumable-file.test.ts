import { existsSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { ResumableFile } from '../../../src/download/resumable-file.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const etag = '"v1"'

describe('a file', () => {
  it('that was not begun takes no part and no byte', async () => {
    await using folder = await makeTemporaryFolder()
    const file = new ResumableFile(path.join(folder.path, 'result.part'))

    const unasked = { 'content-range': 'bytes 0-9/10' }
    expect(await rejectionOf(file.begin(206, unasked))).toMatchObject({
      message: 'the store sent another part than the one asked for',
    })
    expect(await rejectionOf(file.write(Buffer.from('x')))).toMatchObject({
      message: 'nothing has begun',
    })
  })

  it('discarded right after its beginning leaves nothing on the disk', async () => {
    await using folder = await makeTemporaryFolder()
    const file = new ResumableFile(path.join(folder.path, 'result.part'))

    await file.begin(200, {})
    await file.discard()
    await new Promise((resolve) => setImmediate(resolve))

    expect(existsSync(file.path)).toBe(false)
  })

  it('whose bytes are not in the encoding that the store names starts over', async () => {
    await using folder = await makeTemporaryFolder()
    const file = new ResumableFile(path.join(folder.path, 'result.part'))
    await file.begin(200, { etag, 'content-encoding': 'gzip' })

    await rejectionOf(file.write(Buffer.from('not gzip at all')).then(() => file.complete()))

    expect([file.received, file.resumption(), existsSync(file.path)]).toEqual([0, {}, false])
  })

  it.each(['gzip', undefined])('whose signal aborted takes no byte (%s)', async (encoding) => {
    await using folder = await makeTemporaryFolder()
    const cancellation = new AbortController()
    const file = new ResumableFile(path.join(folder.path, 'result.part'), cancellation.signal)
    await file.begin(200, encoding ? { 'content-encoding': encoding } : {})

    cancellation.abort()

    await rejectionOf(file.write(gzipSync('rows')))
    expect(existsSync(file.path)).toBe(false)
  })

  it.each(['gzip', undefined])('that the disk does not take fails (%s)', async (encoding) => {
    await using folder = await makeTemporaryFolder()
    const file = new ResumableFile(path.join(folder.path, 'missing', 'result.part'))
    const bytes = Buffer.alloc(5 * 1024 * 1024)
    await file.begin(200, encoding ? { 'content-encoding': encoding } : {})

    const failure = await rejectionOf(file.write(encoding ? gzipSync(bytes) : bytes))

    expect(failure).toMatchObject({ code: 'ENOENT' })
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
