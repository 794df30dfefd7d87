import { orAbort } from '../../clock.ts'

/** Gives a number of permits, in the order in which they were asked for. */
export class Semaphore {
  #free: number
  // A set keeps the order, and entries in its middle can be removed.
  readonly #waiting = new Set<() => void>()

  constructor(permits: number) {
    this.#free = permits
  }

  /** Resolves with a permit, to be disposed of. Rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(signal)
    // The signal may have aborted in the moment in which the permit was given back.
    if (signal.aborted) this.#passOn()
    signal.throwIfAborted()
    let isHeld = true
    const release = () => {
      if (isHeld) this.#passOn()
      isHeld = false
    }
    return { [Symbol.dispose]: release }
  }

  /** Does the work while it holds a permit. */
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
      // A permit that came at the same moment goes to the next one who waits.
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
