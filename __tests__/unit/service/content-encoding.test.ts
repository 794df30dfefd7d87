import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as zlib from 'node:zlib'
import { expect, it } from '@jest/globals'
import { decoderFor } from '../../../src/service/content-encoding.ts'

const content = Buffer.from('größer, a row\n'.repeat(2_000))
const half = Math.ceil(content.length / 2)
const parts = [content.subarray(0, half), content.subarray(half)]
const gzipped = zlib.gzipSync(content)
const fiveTimes = [1, 2, 3, 4, 5].reduce((bytes) => zlib.gzipSync(bytes), content)

const forms: [header: string, bytes: Buffer][] = [
  ['gzip', gzipped],
  [' GZIP ', gzipped],
  ['x-gzip', gzipped],
  ['gzip', Buffer.concat(parts.map((member) => zlib.gzipSync(member)))],
  ['br', zlib.brotliCompressSync(content)],
  ['deflate', zlib.deflateSync(content)],
  ['deflate', zlib.deflateRawSync(content)],
  ['deflate', zlib.deflateRawSync(content, { level: 0 })],
  ['aws-chunked,gzip', gzipped],
  ['gzip,aws-chunked', gzipped],
  ['identity, gzip', gzipped],
  ['gzip,', gzipped],
  ['br, gzip', zlib.gzipSync(zlib.brotliCompressSync(content))],
  ['gzip, deflate', zlib.deflateSync(gzipped)],
  ['gzip, gzip, gzip, gzip, gzip', fiveTimes],
]

async function decode(
  header: string | undefined,
  ...chunks: Buffer[]
): Promise<Buffer | undefined> {
  const decoded = decoderFor(header)?.(Readable.from(chunks))
  return decoded && (await buffer(decoded))
}

it.each(forms)(
  '%j is undone, and a body without its last byte is broken',
  async (header, bytes) => {
    expect((await decode(header, bytes))?.equals(content)).toBe(true)
    await expect(decode(header, bytes.subarray(0, -1))).rejects.toThrow()
  },
)

it.each<[header: string, stream: Buffer]>([
  ['br', zlib.brotliCompressSync(content)],
  ['deflate', zlib.deflateSync(content)],
  ['deflate', zlib.deflateRawSync(content)],
])('%j with more after its end is broken', async (header, stream) => {
  for (const more of [stream, Buffer.alloc(1)]) {
    const twice = Buffer.concat([stream, more])
    const broken = { code: 'Z_DATA_ERROR' }
    await expect(decode(header, twice)).rejects.toMatchObject(broken)
    await expect(decode(header, stream, more)).rejects.toMatchObject(broken)
    await expect(decode(`${header}, gzip`, zlib.gzipSync(twice))).rejects.toMatchObject(broken)
  }
})

it('zeros after gzip are padding', async () => {
  expect((await decode('gzip', Buffer.concat([gzipped, Buffer.alloc(9)])))?.equals(content)).toBe(
    true,
  )
})

it('a body is decoded in whatever pieces it arrives, and an empty one is empty', async () => {
  const bytes = zlib.gzipSync(zlib.deflateRawSync(content))
  const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
  expect((await decode('deflate, gzip', ...pieces))?.equals(content)).toBe(true)
  expect(await decode('gzip')).toHaveLength(0)
})

it.each([undefined, '', ' ', 'identity', 'none', 'utf-8', 'UTF-8, aws-chunked'])(
  'no encoding: %j',
  async (header) => {
    expect((await decode(header, content))?.equals(content)).toBe(true)
  },
)

it.each(['zstd', 'gzip, zstd', 'compress', 'gzip gzip', 'constructor', 'gzip,'.repeat(6)])(
  'not undone: %j',
  (header) => expect(decoderFor(header)).toBeUndefined(),
)
