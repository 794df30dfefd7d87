/** Generates random numbers. The same seed gives the same numbers on every machine. */
export class SeededRandom {
  readonly #seed: number
  #state: number

  /** `seed` is a whole number. Only its low 32 bits are used. */
  constructor(seed: number) {
    this.#seed = seed >>> 0
    this.#state = this.#seed
  }

  /** Returns a separate generator. The use of other generators does not change its numbers. */
  fork(purpose: string): SeededRandom {
    let hash = this.#seed
    for (const character of purpose) hash = scramble(hash ^ (character.codePointAt(0) ?? 0))
    return new SeededRandom(hash)
  }

  /** Returns a number that is at least 0 and less than 1. */
  number(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    return scramble(this.#state) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.number() < probability
  }

  between(least: number, most: number): number {
    return least + this.number() * (most - least)
  }

  /** Like `between`, but every order of magnitude is equally likely. */
  sizeBetween(least: number, most: number): number {
    return least * (most / least) ** this.number()
  }

  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1))
  }

  pick<const Option>(options: readonly Option[]): Option {
    return this.#at(options, this.whole(0, options.length - 1))
  }

  /** Returns one of the options. A weight of 2 is twice as likely as a weight of 1. */
  weigh<const Option>(options: readonly (readonly [weight: number, option: Option])[]): Option {
    let rest = this.between(
      0,
      options.reduce((sum, [weight]) => sum + weight, 0),
    )
    const index = options.findIndex(([weight]) => (rest -= weight) < 0)
    return this.#at(options, index)[1]
  }

  /** Returns hexadecimal digits, for ids and secrets. */
  digits(count: number): string {
    return Array.from({ length: count }, () => this.whole(0, 15).toString(16)).join('')
  }

  #at<Option>(options: readonly Option[], index: number): Option {
    const option = options.at(index)
    if (option === undefined) throw new RangeError('nothing to choose from')
    return option
  }
}

// This is the last step of the algorithm splitmix32.
function scramble(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x21f0aaad)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x735a2d97)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
