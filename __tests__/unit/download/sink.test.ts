import { Writable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { writeTo } from '../../../src/download/sink.ts'

const chunk = Buffer.from('rows')

describe('a chunk', () => {
  it('is written when the stream has taken it, and leaves no listener behind', async () => {
    const written: unknown[] = []
    const stream = new Writable({
      write(bytes, _encoding, done) {
        written.push(bytes)
        done()
      },
    })

    await writeTo(stream, chunk)

    expect([written, stream.listenerCount('close')]).toEqual([[chunk], 0])
  })

  it('is lost with the error of the stream that does not take it', async () => {
    const stream = new Writable({ write: (_bytes, _encoding, done) => done(new Error('full')) })
    stream.on('error', () => undefined)

    await expect(writeTo(stream, chunk)).rejects.toThrow('full')
  })

  it.each([
    [new Error('not in its encoding'), 'not in its encoding'],
    [undefined, 'the file was closed'],
  ])('is lost when the stream closes without a word of it (%s)', async (error, why) => {
    // A decoder that cannot read a chunk never calls back.
    const stream = new Writable({ write: () => undefined })
    stream.on('error', () => undefined)

    const writing = writeTo(stream, chunk)
    stream.destroy(error)

    await expect(writing).rejects.toThrow(why)
  })
})
