import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createBrotliCompress, createDeflate, createDeflateRaw, createGzip } from 'node:zlib'
import { readRange, type Span } from './ranges.ts'
import { storeRefusal, type Answer } from './answer.ts'

const encoders = {
  gzip: { name: 'gzip', create: () => createGzip() },
  deflate: { name: 'deflate', create: () => createDeflate() },
  // Some servers send "deflate" without its zlib wrapper.
  'deflate-raw': { name: 'deflate', create: () => createDeflateRaw() },
  br: { name: 'br', create: () => createBrotliCompress() },
}
export type Encoding = keyof typeof encoders
export const encodings = Object.keys(encoders) as [Encoding, ...Encoding[]]

/** How the store serves a file this time. */
export interface Serving {
  encoding?: Encoding | undefined
  noRanges?: boolean | undefined
}

export interface StoredFile {
  path: string
  contentType: string
  /** Grows with every change of the content; the first bytes of a changed file tell it. */
  revision: number
  name: string
}

interface Wanted {
  range: string | undefined
  ifRange: string | undefined
}

/** A file as an object store answers it: strong ETag, ranges, lengths (RFC 9110). */
export async function answerFile(file: StoredFile, want: Wanted, how: Serving): Promise<Answer> {
  const { path, etag, preface } = await represent(file, how.encoding)
  const length = preface.length + (await stat(path)).size
  const headers: Record<string, string> = { 'content-type': file.contentType, etag }
  if (how.encoding) headers['content-encoding'] = encoders[how.encoding].name
  if (!how.noRanges) headers['accept-ranges'] = 'bytes'
  const asked = !how.noRanges && (want.ifRange === undefined || want.ifRange === etag)
  const span = asked ? readRange(want.range, length) : undefined
  if (span === 'unsatisfiable') {
    const refusal = storeRefusal(416, 'InvalidRange', 'The requested range is not satisfiable')
    return { ...refusal, headers: { ...refusal.headers, 'content-range': `bytes */${length}` } }
  }
  const { start, end } = span ?? { start: 0, end: length - 1 }
  if (span) headers['content-range'] = `bytes ${start}-${end}/${length}`
  const body = { length: end - start + 1, read: () => slice(path, preface, { start, end }) }
  return { status: span ? 206 : 200, headers, body }
}

/** The bytes that stand for a file: its own, or its encoding's, which is made once and kept. */
async function represent(file: StoredFile, encoding: Encoding | undefined) {
  const tag = `${file.name}-${file.revision}`
  if (!encoding) {
    const preface = file.revision > 0 ? `changed ${file.revision}\n` : ''
    return { path: file.path, etag: `"${tag}"`, preface: Buffer.from(preface) }
  }
  const path = `${file.path}.${encoding}`
  if (!existsSync(path)) {
    await pipeline(
      createReadStream(file.path),
      encoders[encoding].create(),
      createWriteStream(path),
    )
  }
  return { path, etag: `"${tag}-${encoding}"`, preface: Buffer.alloc(0) }
}

async function* slice(path: string, preface: Buffer, { start, end }: Span) {
  if (start < preface.length) yield preface.subarray(start, end + 1)
  const from = Math.max(0, start - preface.length)
  const to = end - preface.length
  if (to < from) return
  for await (const chunk of createReadStream(path, { start: from, end: to })) yield chunk as Buffer
}
