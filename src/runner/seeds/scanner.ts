/** What finds the elements of a list among its bytes, without keeping any. */
import type { ByteRange } from './byte-source.ts'

export interface Scanner {
  /** Takes the next bytes, which begin at `offset`; gives the elements that end among them. */
  scan(chunk: Uint8Array, offset: number): ByteRange[]
  /** Says that there are no more bytes, and gives the element that they end in. */
  finish(offset: number): ByteRange[]
  /** Where the list stops being one; nothing is found behind it. */
  readonly fault: ListFault | undefined
}

export interface ListFault {
  offset: number
  /** What should stand there. */
  expected: 'an element' | 'a comma or the end' | 'nothing more'
}

export const byteOf = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const

/** What JSON takes for white space. */
export function isSpace(byte: number): boolean {
  return byte === byteOf.space || isLineEnd(byte) || byte === byteOf.tab
}

export function isLineEnd(byte: number): boolean {
  return byte === byteOf.lineFeed || byte === byteOf.carriageReturn
}
