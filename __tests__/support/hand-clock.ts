import type { Clock } from '../../src/clock.ts'

/** Sleeps of at most this time end at once, in milliseconds: the pauses between two tries. */
const short = 3_000

/** A clock that a test puts forward by hand. Longer waits end only then. */
export class HandClock implements Clock {
  #now = 0
  readonly #sleepers = new Set<() => void>()

  now(): number {
    return this.#now
  }

  date(): Date {
    return new Date()
  }

  async sleep(span: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const due = this.#now + span
    if (span <= short) this.#now = due
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const check = () => {
      if (this.#now >= due || signal?.aborted) resolve(undefined)
    }
    this.#sleepers.add(check)
    signal?.addEventListener('abort', check, { once: true })
    check()
    await promise
    this.#sleepers.delete(check)
    signal?.throwIfAborted()
  }

  putForward(span: number): void {
    this.#now += span
    for (const check of this.#sleepers) check()
  }
}
