/**
 * The links of a finished run have expired, and the status route, which would give new ones, is
 * down: from the first look at the finished run on, and for less than the minute that the refresh
 * of a link has.
 */
import type { ApiFault } from './api-faults.ts'
import type { Dice } from './dice.ts'

const answers = ['503', '503 with Retry-After', '429 with Retry-After', 'connection reset'] as const

export class Outage {
  readonly #span: number
  readonly #retryAfter: string
  readonly #answer: (typeof answers)[number]
  #endsAt: number | undefined

  constructor(dice: Dice) {
    // Pauses that double, or a Retry-After, may add a third of the minute to it.
    this.#span = dice.between(5_000, 25_000)
    this.#retryAfter = dice.pick(['2', '10'])
    this.#answer = dice.pick(answers)
  }

  /** A moment; undefined before the first look at the finished run. */
  get endsAt(): number | undefined {
    return this.#endsAt
  }

  /** A record with links is given away. Happens once in a life. */
  begin(now: number): void {
    this.#endsAt ??= now + this.#span
  }

  /** What becomes of a status request at a moment; undefined where it is answered as ever. */
  faultAt(now: number): ApiFault | undefined {
    if (this.#endsAt === undefined || now >= this.#endsAt) return undefined
    const name = `outage: ${this.#answer}`
    if (this.#answer === 'connection reset') {
      const reaction = { kind: 'no-answer', silent: false, why: 'read ECONNRESET' } as const
      return { name, arrives: false, reaction }
    }
    const status = this.#answer.startsWith('429') ? 429 : 503
    const headers = this.#answer.includes('Retry-After') ? { 'retry-after': this.#retryAfter } : {}
    return { name, arrives: false, reaction: { kind: 'answer', status, headers, body: '' } }
  }

  /** Whether a link is one of those that expired. */
  spoils(givenAt: number): boolean {
    return this.#endsAt !== undefined && givenAt < this.#endsAt
  }
}
