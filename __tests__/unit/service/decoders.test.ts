import { once } from 'node:events'
import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { makers } from '../../../src/service/decoders.ts'

function decoderOf(encoding: string): Transform {
  const decoder = makers.get(encoding)?.()
  if (!decoder) throw new Error(`no decoder of ${encoding}`)
  return decoder
}

/** Reads a decoder to its end, with a pause after each chunk; `most`: bytes that it kept ready. */
async function readSlowly(decoder: Transform) {
  const chunks: Buffer[] = []
  let most = 0
  for await (const chunk of decoder as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, decoder.readableLength)
  }
  return { bytes: Buffer.concat(chunks), most }
}

const large = Buffer.alloc(1024 * 1024, 'a row of many\n')

const forms: [encoding: string, encode: (bytes: Buffer) => Buffer][] = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
]

describe.each(forms)('a decoder of %s', (encoding, encode) => {
  it('waits for a slow reader, and holds little in between', async () => {
    const decoder = decoderOf(encoding)
    decoder.end(encode(large))

    const { bytes, most } = await readSlowly(decoder)

    expect(bytes.equals(large)).toBe(true)
    expect(most).toBeLessThan(256 * 1024)
  })
})

describe('two texts, one after the other', () => {
  it('are both read in zstd, in their order, by a slow reader too', async () => {
    const decoder = decoderOf('zstd')
    const other = Buffer.alloc(large.length, 'another row\n')
    decoder.end(Buffer.concat([large, other].map((text) => zlib.zstdCompressSync(text))))

    expect((await readSlowly(decoder)).bytes.equals(Buffer.concat([large, other]))).toBe(true)
  })

  it.each([
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
  ])('are an error in %s, which has no frames', async (encoding, encode) => {
    const decoder = decoderOf(encoding)
    decoder.end(Buffer.concat([encode(Buffer.from('one')), encode(Buffer.from('two'))]))

    await expect(readSlowly(decoder)).rejects.toThrow('bytes follow the end of its encoding')
  })
})

it('a decoder that is given up closes', async () => {
  const decoder = decoderOf('gzip')
  decoder.write(zlib.gzipSync(large).subarray(0, 100))
  const closed = once(decoder, 'close')

  decoder.destroy()

  await expect(closed).resolves.toEqual([])
})
