import type { ByteRange } from './byte-source.ts'
import { byteOf, isSpace, type ListFault, type Scanner } from './scanner.ts'

type Awaited = 'list' | 'first' | 'element' | 'separator' | 'nothing'

/**
 * Finds the elements of a JSON array. It knows strings, and counts brackets of either kind: where a
 * text is JSON, that is enough. Where it is not, the fault is in what it takes for an element, or
 * at the fault that it finds between two; JSON.parse, which reads each element, finds it there.
 */
export class ArrayScanner implements Scanner {
  fault: ListFault | undefined
  #awaited: Awaited = 'list'
  /** Of the element that the scan is in. */
  #start: number | undefined
  #depth = 0
  #inString = false
  #escaped = false
  #found: ByteRange[] = []

  scan(chunk: Uint8Array, offset: number): ByteRange[] {
    this.#found = []
    for (let at = 0; at < chunk.length && !this.fault; at++) {
      if (this.#inString && !this.#escaped) at = findMark(chunk, at)
      const byte = chunk[at]
      if (byte === undefined) break
      if (!this.#takeInElement(byte, offset + at)) this.#takeBetween(byte, offset + at)
    }
    return this.#found
  }

  finish(offset: number): ByteRange[] {
    this.#found = []
    const isCut = this.#start !== undefined && (this.#inString || this.#depth > 0)
    if (this.#start !== undefined) this.#endElement(offset)
    if (!isCut) this.#takeBetween(undefined, offset)
    return this.#found
  }

  /** Whether the byte belongs to an element. */
  #takeInElement(byte: number, offset: number): boolean {
    if (this.#start === undefined) return false
    if (this.#inString) this.#takeInString(byte, offset)
    else if (byte === byteOf.quote) this.#inString = true
    else if (isOpening(byte)) this.#depth++
    else if (this.#depth > 0) {
      if (isClosing(byte) && --this.#depth === 0) this.#endElement(offset + 1)
    } else if (isSpace(byte) || isClosing(byte) || byte === byteOf.comma) {
      // What ends a number or a word is not part of it.
      this.#endElement(offset)
      return false
    }
    return true
  }

  #takeInString(byte: number, offset: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === byteOf.backslash) this.#escaped = true
    else if (byte === byteOf.quote) {
      this.#inString = false
      if (this.#depth === 0) this.#endElement(offset + 1)
    }
  }

  #endElement(end: number): void {
    if (this.#start !== undefined) this.#found.push({ start: this.#start, end })
    this.#start = undefined
    this.#awaited = 'separator'
  }

  /** Takes what stands outside of the elements; undefined is the end of the text. */
  #takeBetween(byte: number | undefined, offset: number): void {
    if (byte !== undefined && isSpace(byte)) return
    const awaited = this.#awaited
    const isElement = byte !== undefined && byte !== byteOf.closeBracket && byte !== byteOf.comma
    if (awaited === 'nothing') {
      if (byte !== undefined) this.fault = { offset, expected: 'nothing more' }
    } else if (awaited === 'list') this.#awaited = 'first'
    else if (byte === byteOf.closeBracket && awaited !== 'element') this.#awaited = 'nothing'
    else if (byte === byteOf.comma && awaited === 'separator') this.#awaited = 'element'
    else if (awaited === 'separator') this.fault = { offset, expected: 'a comma or the end' }
    else if (isElement) this.#beginElement(byte, offset)
    else this.fault = { offset, expected: 'an element' }
  }

  #beginElement(byte: number, offset: number): void {
    this.#start = offset
    this.#inString = byte === byteOf.quote
    this.#depth = isOpening(byte) ? 1 : 0
  }
}

/** The next byte of a string that is more than text. */
function findMark(chunk: Uint8Array, from: number): number {
  let at = from
  while (at < chunk.length && chunk[at] !== byteOf.quote && chunk[at] !== byteOf.backslash) at++
  return at
}

function isOpening(byte: number): boolean {
  return byte === byteOf.openBrace || byte === byteOf.openBracket
}

function isClosing(byte: number): boolean {
  return byte === byteOf.closeBrace || byte === byteOf.closeBracket
}
