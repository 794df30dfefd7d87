import { orAbort } from '../../clock.ts'

/** So many permits at once, given in the order in which they were asked for. */
export class Semaphore {
  #free: number
  // A set keeps the order, and lets one leave from the middle.
  readonly #waiting = new Set<() => void>()

  constructor(permits: number) {
    this.#free = permits
  }

  /** Resolves with a permit, to be disposed of. Rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(signal)
    // Whoever gave the permit back may have aborted at the same time.
    if (signal.aborted) this.#passOn()
    signal.throwIfAborted()
    let isHeld = true
    const release = () => {
      if (isHeld) this.#passOn()
      isHeld = false
    }
    return { [Symbol.dispose]: release }
  }

  /** Does the work with a permit. */
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
      // A permit that came at the same moment is for the next.
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
