/** Cuts of texts, never inside of a pair of UTF-16 units or of the bytes of one character. */

/** Returns at most `limit` UTF-16 units. The last one is `…` if the text was cut. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, Math.max(0, limit - 1)).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns the last whole lines that fit into `limit` bytes, or the end of one longer line. */
export function lastLines(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  const tail = bytes.subarray(-limit)
  const lineBreak = tail.indexOf('\n')
  if (lineBreak !== -1 && lineBreak < tail.length - 1) return tail.toString('utf8', lineBreak + 1)
  // The cut may have gone through a character of several bytes, whose others begin with the bits 10.
  const first = tail.findIndex((byte) => byte >> 6 !== 0b10)
  return tail.toString('utf8', Math.max(0, first))
}
