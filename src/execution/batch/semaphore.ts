/**
 * Limits how many tasks run at the same time. Urgent tasks get permits first. Otherwise, tasks get
 * permits in the order of their requests.
 */
import { orAbort } from '../../clock.ts'

export class Semaphore {
  #free: number
  // The sets keep the order of insertion, and allow removing an entry from the middle.
  readonly #urgent = new Set<() => void>()
  readonly #usual = new Set<() => void>()

  constructor(permits: number) {
    this.#free = permits
  }

  /** Waits for a permit, which the caller must dispose of once. Rejects if the signal aborts first. */
  async acquire(signal: AbortSignal, isUrgent = false): Promise<Disposable> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(signal, isUrgent ? this.#urgent : this.#usual)
    // The signal may abort after the permit was granted, but before this line runs.
    if (signal.aborted) this.#passOn()
    signal.throwIfAborted()
    return { [Symbol.dispose]: () => this.#passOn() }
  }

  async within<Value>(
    signal: AbortSignal,
    work: () => Promise<Value>,
    isUrgent = false,
  ): Promise<Value> {
    using _ = await this.acquire(signal, isUrgent)
    return await work()
  }

  async #wait(signal: AbortSignal, queue: Set<() => void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const grant = () => resolve(undefined)
    queue.add(grant)
    try {
      await orAbort(promise, signal)
    } catch (error) {
      // If the permit was granted at the moment of the abort, the next task gets the permit.
      if (!queue.delete(grant)) this.#passOn()
      throw error
    }
  }

  #passOn(): void {
    const queue = this.#urgent.size > 0 ? this.#urgent : this.#usual
    const [next] = queue
    if (!next) {
      this.#free += 1
      return
    }
    queue.delete(next)
    next()
  }
}
