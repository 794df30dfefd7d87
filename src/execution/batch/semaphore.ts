import { orAbort } from '../../clock.ts'

/** Limits how many tasks run at the same time. Tasks get permits in the order of their requests. */
export class Semaphore {
  #free: number
  // The set keeps the order of insertion, and allows removing an entry from the middle.
  readonly #waiting = new Set<() => void>()

  constructor(permits: number) {
    this.#free = permits
  }

  /** Waits for a permit, which the caller must dispose of. Rejects if the signal aborts first. */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(signal)
    // The signal may abort after the permit was granted, but before this line runs.
    if (signal.aborted) this.#passOn()
    signal.throwIfAborted()
    let isHeld = true
    const release = () => {
      if (isHeld) this.#passOn()
      isHeld = false
    }
    return { [Symbol.dispose]: release }
  }

  async within<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    const permit = await this.acquire(signal)
    return work().finally(() => permit[Symbol.dispose]())
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const grant = () => resolve(undefined)
    this.#waiting.add(grant)
    try {
      await orAbort(promise, signal)
    } catch (error) {
      // If the permit was granted at the moment of the abort, the next task gets the permit.
      if (!this.#waiting.delete(grant)) this.#passOn()
      throw error
    }
  }

  #passOn(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
