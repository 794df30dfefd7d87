/**
 * Simulates an outage of the status route that begins when the service first reports a finished
 * execution. Links from before the end of the outage are invalid. The outage ends before the product
 * stops trying to refresh a link.
 */
import type { ApiFault, Reaction } from './api-faults.ts'
import type { SeededRandom } from './seeded-random.ts'

export class Outage {
  readonly #span: number
  readonly #fault: ApiFault
  #endsAt: number | undefined

  constructor(random: SeededRandom) {
    // The product tries for 60 s. Growing pauses and a Retry-After may use 20 s of this time.
    this.#span = random.between(5_000, 25_000)
    const wait = { 'retry-after': random.pick(['2', '10']) }
    this.#fault = random.pick([
      answering('503', 503, {}),
      answering('503 with Retry-After', 503, wait),
      answering('429 with Retry-After', 429, wait),
      lost('connection reset', { kind: 'no-answer', silent: false, why: 'read ECONNRESET' }),
    ])
  }

  /** The end of the outage. Undefined before the outage has begun. */
  get endsAt(): number | undefined {
    return this.#endsAt
  }

  /** Begins the outage. Only the first call has an effect. */
  begin(now: number): void {
    this.#endsAt ??= now + this.#span
  }

  /** Returns the fault of a status request, or undefined if there is no outage. */
  faultAt(now: number): ApiFault | undefined {
    return now < (this.#endsAt ?? -Infinity) ? this.#fault : undefined
  }

  invalidates(givenAt: number): boolean {
    return this.#endsAt !== undefined && givenAt < this.#endsAt
  }
}

function answering(name: string, status: number, headers: Record<string, string>): ApiFault {
  return lost(name, { kind: 'answer', status, headers, body: '' })
}

function lost(name: string, reaction: Reaction): ApiFault {
  return { name: `outage: ${name}`, arrives: false, reaction }
}
