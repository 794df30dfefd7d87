import type { ByteRange } from './byte-source.ts'
import { isLineEnd, isSpace, type Scanner } from './scanner.ts'

/** Finds the lines that are not blank, without the white space around what is in them. */
export class LineScanner implements Scanner {
  readonly fault = undefined
  #start: number | undefined
  #end = 0

  scan(chunk: Uint8Array, offset: number): ByteRange[] {
    const found: ByteRange[] = []
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (isLineEnd(byte)) found.push(...this.finish())
      else if (!isSpace(byte)) {
        this.#start ??= offset + at
        this.#end = offset + at + 1
      }
    }
    return found
  }

  finish(): ByteRange[] {
    const start = this.#start
    this.#start = undefined
    return start === undefined ? [] : [{ start, end: this.#end }]
  }
}
