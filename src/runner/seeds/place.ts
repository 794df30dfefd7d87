import type { LineAndColumn } from '../inputs/json-problem.ts'
import type { ByteSource } from './byte-source.ts'
import { byteOf } from './scanner.ts'

/**
 * Lines and columns (in UTF-16 units) of ascending offsets. They are counted once something is
 * wrong only, by reading the text again: nothing has to be kept for them before.
 *
 * @param from - where the text begins, behind a byte order mark
 */
export async function placesOf(
  source: ByteSource,
  offsets: readonly number[],
  from: number,
): Promise<LineAndColumn[]> {
  const places: LineAndColumn[] = []
  const counter = new PlaceCounter()
  let offset = from
  for await (const chunk of source.chunks(from)) {
    for (const byte of chunk) {
      while (offsets[places.length] === offset) places.push(counter.place)
      if (places.length === offsets.length) return places
      counter.pass(byte)
      offset++
    }
  }
  while (places.length < offsets.length) places.push(counter.place)
  return places
}

class PlaceCounter {
  #line = 1
  #column = 1
  #last = 0

  get place(): LineAndColumn {
    return { line: this.#line, column: this.#column }
  }

  /** CRLF, CR and LF each end one line. A character of UTF-8 counts at its first byte. */
  pass(byte: number): void {
    const isPairEnd = byte === byteOf.lineFeed && this.#last === byteOf.carriageReturn
    this.#last = byte
    if (isPairEnd) return
    if (byte === byteOf.lineFeed || byte === byteOf.carriageReturn) {
      this.#line++
      this.#column = 1
    } else if (byte >> 6 !== 0b10) this.#column += byte >= 0xf0 ? 2 : 1
  }
}
