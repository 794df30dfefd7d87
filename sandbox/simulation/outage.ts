/**
 * An outage of the status route while links are needed: it begins when a finished run's links are
 * given, which are of no use, and takes less than the minute for which a refresh is tried.
 */
import type { ApiFault } from './api-faults.ts'
import type { SeededRandom } from './seeded-random.ts'

const answers = ['503', '503 with Retry-After', '429 with Retry-After', 'connection reset'] as const

export class Outage {
  readonly #span: number
  readonly #retryAfter: string
  readonly #answer: (typeof answers)[number]
  #endsAt: number | undefined

  constructor(random: SeededRandom) {
    // Growing pauses and Retry-After may add a third of the minute to it.
    this.#span = random.between(5_000, 25_000)
    this.#retryAfter = random.pick(['2', '10'])
    this.#answer = random.pick(answers)
  }

  /** Undefined before it has begun. */
  get endsAt(): number | undefined {
    return this.#endsAt
  }

  /** Links are given. Only the first time counts. */
  begin(now: number): void {
    this.#endsAt ??= now + this.#span
  }

  /** Undefined where a status request is answered as usual. */
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

  invalidates(givenAt: number): boolean {
    return this.#endsAt !== undefined && givenAt < this.#endsAt
  }
}
