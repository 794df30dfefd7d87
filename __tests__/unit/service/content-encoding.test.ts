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
  ['br', zlib.brotliCompressSync(content)],
]

async function decode(header: string, bytes: Buffer, piece = bytes.length): Promise<Buffer> {
  const { decoders } = await decodingFor(header)
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  )
  const out = new PassThrough()
  const [text] = await Promise.all([
    buffer(out),
    pipeline([Readable.from(pieces), ...decoders, out]),
  ])
  return text
}

describe.each(forms)('%s', (header, bytes) => {
  it.each([1, 7, 1024, bytes.length])('is undone from pieces of %d bytes', async (piece) => {
    expect((await decode(header, bytes, piece)).equals(content)).toBe(true)
  })

  it.each([1, 5, bytes.length - 1, bytes.length])(
    'without its last %d bytes is broken',
    async (cut) => {
      await expect(decode(header, bytes.subarray(0, bytes.length - cut))).rejects.toThrow()
    },
  )
})

it.each([1, 50, 1_000_000])('gzip may come in several members, pieces of %d', async (piece) => {
  const members = Buffer.concat(['one ', 'two ', '', 'three'].map((text) => zlib.gzipSync(text)))
  expect((await decode('gzip', members, piece)).toString()).toBe('one two three')
})

describe('what is asked for', () => {
  it('is undone in the order opposite to that in which it was done', async () => {
    const twice = zlib.brotliCompressSync(zlib.gzipSync(content))
    expect((await decode(' GZIP , identity, br', twice)).equals(content)).toBe(true)
  })

  it.each([undefined, '', ' ', 'identity', ', ,'])('is nothing in %j', async (header) => {
    expect(await decodingFor(header)).toEqual({ decoders: [] })
  })

  it.each([
    ['utf-8', 'utf-8'],
    ['zstd', 'zstd'],
    ['aws-chunked,gzip', 'aws-chunked, gzip'],
    ['gzip, gzip, gzip, gzip, gzip', 'gzip, gzip, gzip, gzip, gzip'],
  ])('is left alone where it is not understood, as a whole: %s', async (header, unknown) => {
    expect(await decodingFor(header)).toEqual({ decoders: [], unknown })
  })
})

describe('a content encoding', () => {
  it('may be of four parts at most', async () => {
    const { decoders } = await decodingFor('gzip, br, gzip, deflate')
    expect(decoders).toHaveLength(4)
    for (const decoder of decoders) decoder.destroy()
  })

  // A secret in it is masked as it stands: in other letters nobody would find it.
  it('that is not understood keeps its letters', async () => {
    expect(await decodingFor('gzip, x-S3cr3t')).toEqual({ decoders: [], unknown: 'gzip, x-S3cr3t' })
  })
})
