import { pipeline } from 'node:stream/promises'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as zlib from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { decoderFor } from '../../../src/service/content-encoding.ts'

const content = Buffer.from('größer, a row\n'.repeat(20_000))
const forms: [header: string, bytes: Buffer][] = [
  ['gzip', zlib.gzipSync(content)],
  [' GZIP ', zlib.gzipSync(content)],
  ['br', zlib.brotliCompressSync(content)],
]

async function decode(header: string, bytes: Buffer, piece = bytes.length): Promise<Buffer> {
  const decoder = (await decoderFor(header)) ?? new PassThrough()
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  )
  const out = new PassThrough()
  const [text] = await Promise.all([buffer(out), pipeline(Readable.from(pieces), decoder, out)])
  return text
}

describe.each(forms)('%j', (header, bytes) => {
  it.each([1, 7, 1024, bytes.length])('is undone from pieces of %d bytes', async (piece) => {
    expect((await decode(header, bytes, piece)).equals(content)).toBe(true)
  })

  it.each([1, 5, bytes.length - 1])('without its last %d bytes is broken', async (cut) => {
    await expect(decode(header, bytes.subarray(0, bytes.length - cut))).rejects.toThrow()
  })

  it('is broken if it holds other bytes', async () => {
    await expect(decode(header, Buffer.from('plain'))).rejects.toThrow()
  })
})

const members = Buffer.concat(['one ', 'two ', '', 'three'].map((text) => zlib.gzipSync(text)))

it.each([1, 50, 1_000_000])('gzip may come in several members, pieces of %d', async (piece) => {
  expect((await decode('gzip', members, piece)).toString()).toBe('one two three')
})

it.each([1, 10, 20])('gzip whose last member lacks %d bytes is broken', async (cut) => {
  const half = members.subarray(0, members.length - cut)
  for (const piece of [1, half.length]) await expect(decode('gzip', half, piece)).rejects.toThrow()
})

it.each([undefined, '', 'identity', 'utf-8', 'zstd', 'deflate', 'gzip, br', 'aws-chunked'])(
  'any other value is no encoding: %s',
  async (header) => {
    expect(await decoderFor(header)).toBeUndefined()
  },
)
