/** Cuts of texts, never inside of what a reader takes for one character. */

// Longer than any emoji in use (a family with skin tones has some 30 units); it bounds the work
// where a text piles thousands of combining marks onto one letter.
const maxGraphemeLength = 100

/** At most `limit` UTF-16 units, the last of them `…` where something is missing. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, boundaryBefore(text, Math.max(0, limit - 1)))}…`
}

/** At most `limit` bytes of UTF-8, the last of them `…` where something is missing. */
export function cutBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(limit - mark.length))
  return `${text.slice(0, boundaryBefore(text, read))}…`
}

const mark = Buffer.from('…')

/** The last whole lines that fit into `limit` bytes of UTF-8; of a line that alone is longer, its end. */
export function lastLines(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  const tail = bytes.subarray(-limit)
  const lineBreak = tail.indexOf('\n')
  if (lineBreak !== -1 && lineBreak < tail.length - 1) return tail.toString('utf8', lineBreak + 1)
  // The cut may have gone through a character of several bytes: what is left of it begins with 10.
  const first = tail.findIndex((byte) => byte >> 6 !== 0b10)
  const end = tail.toString('utf8', Math.max(0, first))
  return text.slice(boundaryAfter(text, text.length - end.length))
}

function boundaryBefore(text: string, at: number): number {
  const { start } = graphemeAt(text, at)
  return start
}

function boundaryAfter(text: string, at: number): number {
  const { start, end } = graphemeAt(text, at)
  return start === at ? at : end
}

/** The character that the unit at `at` belongs to. */
function graphemeAt(text: string, at: number): { start: number; end: number } {
  const own = { start: at, end: at + 1 }
  // No two of these make one character, and most cuts are there; nothing has to be loaded for them.
  if (at === 0 || /^[\n -~]{2}$/.test(text.slice(at - 1, at + 1))) return own
  const from = Math.max(0, at - 10 * maxGraphemeLength)
  const around = text.slice(from, at + maxGraphemeLength)
  const found = new Intl.Segmenter().segment(around).containing(at - from)
  if (!found || at - from - found.index > maxGraphemeLength) return wholePair(text, at)
  return { start: from + found.index, end: from + found.index + found.segment.length }
}

/** Where no character of human size is found, at least no pair of units is split. */
function wholePair(text: string, at: number): { start: number; end: number } {
  const splits = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
  return splits ? { start: at - 1, end: at + 1 } : { start: at, end: at + 1 }
}
