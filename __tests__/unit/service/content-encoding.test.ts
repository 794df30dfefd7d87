import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { expect, it } from '@jest/globals'
import { decoderFor } from '../../../src/service/content-encoding.ts'

const content = Buffer.from('größer, a row\n'.repeat(2_000))
const half = Math.ceil(content.length / 2)
const parts = [content.subarray(0, half), content.subarray(half)]
const forms: [header: string, bytes: Buffer][] = [
  ['gzip', zlib.gzipSync(content)],
  [' GZIP ', zlib.gzipSync(content)],
  ['gzip', Buffer.concat(parts.map((member) => zlib.gzipSync(member)))],
  ['br', zlib.brotliCompressSync(content)],
]

async function decode(header: string, bytes: Buffer): Promise<Buffer> {
  const decoder = (await decoderFor(header)) ?? new PassThrough()
  const decoded = pipeline(Readable.from([bytes]), decoder)
  const [content] = await Promise.all([buffer(decoder), decoded])
  return content
}

it.each(forms)(
  '%j is undone, and a body without its last byte is broken',
  async (header, bytes) => {
    expect((await decode(header, bytes)).equals(content)).toBe(true)
    await expect(decode(header, bytes.subarray(0, -1))).rejects.toThrow()
  },
)

it.each([undefined, '', 'identity', 'utf-8', 'zstd', 'deflate', 'gzip, br', 'aws-chunked'])(
  'any other value is no encoding: %s',
  async (header) => {
    expect(await decoderFor(header)).toBeUndefined()
  },
)
