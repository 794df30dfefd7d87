/** Cuts texts without splitting a character. */

/** Returns at most `limit` UTF-16 units of a text. A text that was cut ends with `…`. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, Math.max(0, limit - 1)).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * Returns at most `limit` UTF-16 units of a line. A line that is too long loses its middle, because
 * the last words of a sentence often say what to do.
 */
export function cutMiddle(line: string, limit: number): string {
  if (line.length <= limit) return line
  const end = line.slice(-Math.min(maxEnd, Math.floor(limit / 2))).replace(/^[\udc00-\udfff]/, '')
  return cut(line, limit - end.length) + end
}

// How much of the end of a cut line is kept. Our words after a quoted text are shorter.
const maxEnd = 300

/** Returns the last whole lines that fit into `limit` bytes, or the end of a longer last line. */
export function lastLines(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  const tail = bytes.subarray(-limit)
  const lineBreak = tail.indexOf('\n')
  if (lineBreak !== -1 && lineBreak < tail.length - 1) return tail.toString('utf8', lineBreak + 1)
  // Skips the last bytes of a character that was cut. In UTF-8, such bytes begin with 0b10.
  const first = tail.findIndex((byte) => byte >> 6 !== 0b10)
  return tail.toString('utf8', Math.max(0, first))
}
