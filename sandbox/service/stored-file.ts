import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from '../http/answer.ts'

export interface StoredFile {
  path: string
  contentType: string
  /** The ETag without quotes. */
  tag: string
}

/** Returns a file as an object store does, with a strong ETag and byte ranges (RFC 9110). */
export async function answerFile(
  { path, contentType, tag }: StoredFile,
  { range, 'if-range': version }: IncomingHttpHeaders,
): Promise<Answer> {
  const length = (await stat(path)).size
  const etag = `"${tag}"`
  const headers = { 'content-type': contentType, etag, 'accept-ranges': 'bytes' }
  const isSame = version === undefined || version === etag
  const span = isSame ? readRange(range, length) : undefined
  if (!span) return { status: 200, headers, body: bodyOf(path, { start: 0, end: length - 1 }) }
  const contentRange = `bytes ${span.start}-${span.end}/${length}`
  const body = bodyOf(path, span)
  return { status: 206, headers: { ...headers, 'content-range': contentRange }, body }
}

/** The bytes from `start` to `end`. Both are included. */
interface Span {
  start: number
  end: number
}

function bodyOf(path: string, span: Span): Answer['body'] {
  const length = span.end - span.start + 1
  // createReadStream throws if the span is empty.
  return { length, read: () => (length > 0 ? createReadStream(path, span) : []) }
}

/**
 * Returns the bytes that a Range header asks for. Returns undefined for a range without a first
 * byte or outside of the file. Then the answer is the whole file (RFC 9110, section 14.2).
 */
function readRange(header: string | undefined, length: number): Span | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined) return undefined
  const start = Number(first)
  const end = Math.min(last ? Number(last) : Infinity, length - 1)
  return start <= end ? { start, end } : undefined
}
