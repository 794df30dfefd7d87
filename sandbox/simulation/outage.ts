/**
 * An outage of the status route while links are needed. It begins when the service first gives
 * links. Links from before its end are invalid. It ends before a refresh is given up.
 */
import type { ApiFault, Reaction } from './api-faults.ts'
import type { SeededRandom } from './seeded-random.ts'

export class Outage {
  readonly #span: number
  readonly #fault: ApiFault
  #endsAt: number | undefined

  constructor(random: SeededRandom) {
    // Growing pauses and Retry-After may add a third of the minute.
    this.#span = random.between(5_000, 25_000)
    const wait = { 'retry-after': random.pick(['2', '10']) }
    this.#fault = random.pick([
      answering('503', 503, {}),
      answering('503 with Retry-After', 503, wait),
      answering('429 with Retry-After', 429, wait),
      lost('connection reset', { kind: 'no-answer', silent: false, why: 'read ECONNRESET' }),
    ])
  }

  /** Undefined before the outage has begun. */
  get endsAt(): number | undefined {
    return this.#endsAt
  }

  /** The service gives links. Only the first call counts. */
  begin(now: number): void {
    this.#endsAt ??= now + this.#span
  }

  /** Returns undefined if a status request is answered as usual. */
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
