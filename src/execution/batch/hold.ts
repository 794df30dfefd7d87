import type { Clock } from '../../clock.ts'

/** For how long nothing is sent to the service, as it has asked (`Retry-After`). */
export class Hold {
  readonly #clock: Clock
  #until = -Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Nothing is sent for `span` milliseconds from now; an earlier, longer wish stands. */
  extend(span: number): void {
    this.#until = Math.max(this.#until, this.#clock.now() + span)
  }

  /** Whether it was in force within the last `span` milliseconds. */
  endedWithin(span: number): boolean {
    return this.#clock.now() - this.#until < span
  }

  /** Milliseconds left, never negative. */
  remaining(): number {
    return Math.max(0, this.#until - this.#clock.now())
  }
}
