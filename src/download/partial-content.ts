/** Decides if a response continues an interrupted download (RFC 9110, sections 8.8.3 and 14). */
import type { IncomingHttpHeaders } from 'node:http'

/** The properties that must be equal in two responses with bytes of the same file. */
export interface FileVersion {
  etag: string | undefined
  encoding: string | undefined
  /** The size of the encoded file in bytes. Undefined until a response names the size. */
  total: number | undefined
}

/** Returns the version of a file from the headers of a complete response (status 200). */
export function versionOf(headers: IncomingHttpHeaders): FileVersion {
  return {
    etag: headers.etag,
    encoding: headers['content-encoding'],
    total: numberOf(headers['content-length']),
  }
}

/**
 * Returns headers that request the bytes after the first `received` bytes. If the file has changed,
 * these headers request the complete file. Without a strong ETag, returns no headers, because a weak
 * ETag does not prove that the bytes are equal (RFC 9110, sections 8.8.1 and 13.1.5).
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
 * Returns true if a partial response (status 206) continues this version after `received` bytes.
 * The total length must be known from this response or an earlier one. Otherwise the file's end is
 * unknown, because the store may send less than requested (RFC 9110, section 14.4).
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
 * Returns the position of the first byte of a part, and the total length of the file. Both values
 * are undefined if `Content-Range` is missing or invalid. The total length is also undefined if the
 * header has `*` instead.
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
