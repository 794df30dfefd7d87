/** Whether one answer continues another: ETags and ranges (RFC 9110, sections 8.8.3 and 14). */
import type { IncomingHttpHeaders } from 'node:http'

/** What must stay the same for bytes of one answer to continue those of another. */
export interface FileVersion {
  etag: string | undefined
  encoding: string | undefined
  /** Bytes of the whole file, encoded; undefined until the store names them. */
  total: number | undefined
}

/** The version that a complete answer (200) begins. */
export function versionOf(headers: IncomingHttpHeaders): FileVersion {
  return {
    etag: headers.etag,
    encoding: headers['content-encoding'],
    total: numberOf(headers['content-length']),
  }
}

/**
 * The headers that ask for the rest of a file after `received` bytes, and for the whole where it
 * has changed since. None where the ETag does not make that safe: a weak one promises the same
 * meaning, not the same bytes (RFC 9110, sections 8.8.1 and 13.1.5).
 */
export function resumptionHeaders(
  version: FileVersion | undefined,
  received: number,
): Record<string, string> {
  const etag = version?.etag
  if (received === 0 || !etag || !strongTag.test(etag)) return {}
  return { range: `bytes=${String(received)}-`, 'if-range': etag }
}

const strongTag = /^"[\x21\x23-\x7e\x80-\xff]*"$/

/**
 * Whether a partial answer (206) continues this version after `received` bytes. An answer must have
 * named the length of the whole file: a store may send a shorter part than was asked for, and then
 * nothing else shows where the file ends (RFC 9110, section 14.4).
 */
export function continuesVersion(
  headers: IncomingHttpHeaders,
  { etag, encoding, total }: FileVersion,
  received: number,
): boolean {
  const range = rangeOf(headers)
  const known = total ?? range.total
  return (
    range.from === received &&
    (headers.etag ?? etag) === etag &&
    headers['content-encoding'] === encoding &&
    known !== undefined &&
    (range.total ?? known) === known
  )
}

/**
 * Where the part of an answer begins, and the bytes of the whole file; both undefined where
 * `Content-Range` is missing or invalid, the second also where the store does not know it (`*`).
 */
export function rangeOf(headers: IncomingHttpHeaders): {
  from?: number
  total?: number | undefined
} {
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  return from === undefined ? {} : { from: Number(from), total: numberOf(total) }
}

function numberOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined
}
