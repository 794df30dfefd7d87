import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib'
import { storeRefusal, type Answer } from './answer.ts'

const encoders = { gzip: createGzip, deflate: createDeflate, br: createBrotliCompress }
type Encoding = keyof typeof encoders
export const encodings = Object.keys(encoders) as [Encoding, ...Encoding[]]

/** How the store serves a file this time. */
export interface Serving {
  encoding?: Encoding | undefined
  noRanges?: boolean
}

export interface StoredFile {
  path: string
  contentType: string
  /** Stands for the content in the ETag. */
  tag: string
}

interface Wanted {
  range: string | undefined
  ifRange: string | undefined
}

/** A file as an object store answers it: strong ETag, ranges, lengths (RFC 9110). */
export async function answerFile(file: StoredFile, want: Wanted, how: Serving): Promise<Answer> {
  const { encoding } = how
  const path = encoding ? await encode(file.path, encoding) : file.path
  const length = (await stat(path)).size
  const etag = `"${file.tag}${encoding ? `-${encoding}` : ''}"`
  const headers: Record<string, string> = { 'content-type': file.contentType, etag }
  if (encoding) headers['content-encoding'] = encoding
  if (!how.noRanges) headers['accept-ranges'] = 'bytes'
  const asked = !how.noRanges && (want.ifRange === undefined || want.ifRange === etag)
  const span = asked ? readRange(want.range, length) : undefined
  if (span === 'unsatisfiable') {
    const refusal = storeRefusal(416, 'InvalidRange', 'The requested range is not satisfiable')
    return { ...refusal, headers: { ...refusal.headers, 'content-range': `bytes */${length}` } }
  }
  const { start, end } = span ?? { start: 0, end: length - 1 }
  if (span) headers['content-range'] = `bytes ${start}-${end}/${length}`
  const body = { length: end - start + 1, read: () => read(path, { start, end }) }
  return { status: span ? 206 : 200, headers, body }
}

/** The encoded file's path; made once and kept. */
async function encode(path: string, encoding: Encoding): Promise<string> {
  const encoded = `${path}.${encoding}`
  if (!existsSync(encoded)) {
    await pipeline(createReadStream(path), encoders[encoding](), createWriteStream(encoded))
  }
  return encoded
}

/** An empty span is read as nothing: a stream would refuse it. */
function read(path: string, span: Span): AsyncIterable<Uint8Array> | Uint8Array[] {
  return span.end < span.start ? [] : createReadStream(path, span)
}

/** Bytes `start` to `end`, both included. */
interface Span {
  start: number
  end: number
}

/**
 * The one range a Range header asks for: undefined when it asks for none that is understood (then
 * the whole is the answer, RFC 9110 14.2), `unsatisfiable` when it lies outside.
 */
function readRange(header: string | undefined, length: number): Span | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') return suffix(Number(last), length)
  const start = Number(first)
  const end = last === '' ? length - 1 : Math.min(Number(last), length - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= length ? 'unsatisfiable' : { start, end }
}

function suffix(size: number, length: number): Span | 'unsatisfiable' {
  if (size === 0 || length === 0) return 'unsatisfiable'
  return { start: Math.max(0, length - size), end: length - 1 }
}
