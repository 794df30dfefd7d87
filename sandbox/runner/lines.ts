import { StringDecoder } from 'node:string_decoder'

/**
 * Splits bytes into lines as GitHub's runner does: after `\n`, `\r\n` and a lone `\r`. Therefore a
 * text after a lone `\r` can be a command. Invalid UTF-8 becomes U+FFFD.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8')
  readonly #take: (line: string) => void
  // The rest is only concatenated and not searched again, so the time for a long line is linear.
  #rest = ''
  #afterReturn = false

  constructor(take: (line: string) => void) {
    this.#take = take
  }

  write(chunk: Buffer): void {
    this.#split(this.#decoder.write(chunk))
  }

  end(): void {
    this.#split(this.#decoder.end())
    if (this.#rest !== '') this.#finish('')
  }

  #split(text: string): void {
    if (text === '') return
    // A `\r\n` that was split between two chunks ends only one line.
    let start = this.#afterReturn && text.startsWith('\n') ? 1 : 0
    this.#afterReturn = text.endsWith('\r')
    const ending = /\r\n|\r|\n/g
    ending.lastIndex = start
    for (let found = ending.exec(text); found; found = ending.exec(text)) {
      this.#finish(text.slice(start, found.index))
      start = ending.lastIndex
    }
    this.#rest += text.slice(start)
  }

  #finish(piece: string): void {
    const line = this.#rest + piece
    this.#rest = ''
    this.#take(line)
  }
}
