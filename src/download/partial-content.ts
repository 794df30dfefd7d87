/** Decides whether one response continues another (RFC 9110, sections 8.8.3 and 14). */
import type { IncomingHttpHeaders } from 'node:http'

/** The properties that two responses must share if the bytes of one continue the other. */
export interface FileVersion {
  etag: string | undefined
  encoding: string | undefined
  /** Size of the whole file in its content encoding. Undefined until the store names it. */
  total: number | undefined
}

/** Returns the version of the file that a complete response (200) contains. */
export function versionOf(headers: IncomingHttpHeaders): FileVersion {
  return {
    etag: headers.etag,
    encoding: headers['content-encoding'],
    total: numberOf(headers['content-length']),
  }
}

/**
 * Returns the headers that request the rest of a file after `received` bytes, or the whole file if
 * it has changed. Returns none without a strong ETag: a weak one promises the same meaning, not the
 * same bytes (RFC 9110, sections 8.8.1 and 13.1.5).
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
 * Returns true if a partial response (206) continues this version after `received` bytes. One of
 * the responses must have named the total length. A store may send a shorter part than requested,
 * and without the total nothing shows the end of the file (RFC 9110, section 14.4).
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
 * Returns the first byte of a part and the total length of the file. Both are undefined if
 * `Content-Range` is missing or invalid. The total is also undefined if the store does not know it
 * (`*`).
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
