import { StringDecoder } from 'node:string_decoder'

/**
 * Cuts a stream of bytes into lines as the runner does: after `\n`, `\r\n` and a lone `\r`.
 * (The last one matters: text behind a carriage return can be a command.) A rest without a line
 * ending is a line of its own. Invalid UTF-8 becomes U+FFFD.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8')
  readonly #take: (line: string) => void
  // Grows by concatenation only, which is linear however long a line is.
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
    // A `\r\n` that was cut in two between chunks is one line ending, not two.
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
