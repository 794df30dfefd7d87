import { pipeline } from 'node:stream/promises'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as zlib from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { decodingFor } from '../../../src/service/content-encoding.ts'

const content = Buffer.from('größer, a row\n'.repeat(20_000))
const forms: [header: string, bytes: Buffer][] = [
  ['gzip', zlib.gzipSync(content)],
  ['deflate', zlib.deflateSync(content)],
  ['deflate', zlib.deflateRawSync(content)],
  ['br', zlib.brotliCompressSync(content)],
]

async function decode(header: string, bytes: Buffer, piece = bytes.length): Promise<Buffer> {
  const { decoder = new PassThrough() } = await decodingFor(header)
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  )
  const out = new PassThrough()
  const [text] = await Promise.all([buffer(out), pipeline(Readable.from(pieces), decoder, out)])
  return text
}

describe.each(forms)('%s', (header, bytes) => {
  it.each([1, 7, 1024, bytes.length])('is undone from pieces of %d bytes', async (piece) => {
    expect((await decode(header, bytes, piece)).equals(content)).toBe(true)
  })

  it.each([1, 5, bytes.length - 1])('without its last %d bytes is broken', async (cut) => {
    await expect(decode(header, bytes.subarray(0, bytes.length - cut))).rejects.toThrow()
  })
})

it.each([1, 50, 1_000_000])('gzip may come in several members, pieces of %d', async (piece) => {
  const members = Buffer.concat(['one ', 'two ', '', 'three'].map((text) => zlib.gzipSync(text)))
  expect((await decode('gzip', members, piece)).toString()).toBe('one two three')
})

it.each([
  ['gzip', zlib.gzipSync(content)],
  ['deflate', zlib.deflateSync(content)],
])('zeros after the end of %s are ignored', async (header, bytes) => {
  const padded = Buffer.concat([bytes, Buffer.alloc(512)])
  for (const piece of [1, padded.length]) {
    expect((await decode(header, padded, piece)).equals(content)).toBe(true)
  }
})

it.each(['gzip', 'deflate', 'br'])('an empty body stays empty, also as %s', async (header) => {
  expect(await decode(header, Buffer.alloc(0), 1)).toHaveLength(0)
})

it.each(['gzip', 'deflate', 'br'])('other bytes than %s are broken', async (header) => {
  await expect(decode(header, Buffer.from('plain'))).rejects.toThrow()
})

describe('an encoding', () => {
  it('is undone in upper and lower case', async () => {
    expect((await decode(' GZIP ', zlib.gzipSync(content))).equals(content)).toBe(true)
  })

  it.each(['aws-chunked,gzip', 'Identity, gzip, none'])('is undone in %j', async (header) => {
    expect((await decode(header, zlib.gzipSync(content))).equals(content)).toBe(true)
  })

  it.each([undefined, '', ' ', 'identity', 'none', 'aws-chunked, Identity'])(
    'does not exist in %j',
    async (header) => {
      expect(await decodingFor(header)).toEqual({})
    },
  )

  it.each([
    ['utf-8', 'utf-8'],
    ['zstd', 'zstd'],
    ['identity, gzip, br', 'identity, gzip, br'],
  ])('is not undone at all if a part of it is unknown: %s', async (header, unknown) => {
    expect(await decodingFor(header)).toEqual({ unknown })
  })

  // A secret in the encoding is masked only if its letters do not change.
  it('keeps its letters if it is unknown', async () => {
    expect(await decodingFor('x-S3cr3t')).toEqual({ unknown: 'x-S3cr3t' })
  })
})
