/** Limits how many executions of a batch run at the same time. */
import type { Clock } from '../../clock.ts'
import { Semaphore } from './semaphore.ts'

export class Slots {
  /** The number of slots in use. */
  running = 0
  /** The number of runs that wait for their files, the check of their result, or a retry. */
  pending = 0
  readonly permits: Semaphore
  /** When the batch began, as a time of the clock. */
  readonly beganAt: number
  readonly #clock: Clock

  constructor(maxParallel: number, clock: Clock) {
    this.permits = new Semaphore(maxParallel)
    this.#clock = clock
    this.beganAt = clock.now()
  }

  /** Returns the milliseconds since the batch began. */
  elapsed(): number {
    return this.#clock.now() - this.beganAt
  }
}

/**
 * The slot of one run. A run takes a slot for each execution, and gives the slot back when the
 * execution has ended. Times are in milliseconds since the batch began.
 */
export class RunSlot {
  /**
   * When the run started, or when this step began to follow an execution that was still running.
   * Undefined if there is no such time.
   */
  startedAt: number | undefined
  #endedAt: number | undefined
  /** True while the run counts in `pending`. */
  #isPending = false
  readonly #slots: Slots
  #permit: Disposable | undefined

  constructor(slots: Slots) {
    this.#slots = slots
  }

  get isTaken(): boolean {
    return this.#permit !== undefined
  }

  /**
   * Milliseconds from `startedAt` until the newest execution of the run ended. Undefined if not
   * known. The files are fetched after the end.
   */
  get duration(): number | undefined {
    const [from, to] = [this.startedAt, this.#endedAt]
    return from === undefined || to === undefined ? undefined : Math.max(0, to - from)
  }

  /** Waits for a free slot and takes the slot. Rejects if `until` aborts first. */
  async take(until: AbortSignal): Promise<void> {
    this.#permit = await this.#slots.permits.acquire(until)
    this.#slots.running += 1
    this.#setPending(false)
  }

  /** Sets `startedAt`, unless it is set. `at` is a time of the clock. */
  markStart(at: number): void {
    this.startedAt ??= at - this.#slots.beganAt
  }

  /**
   * Gives the slot back. Called when the execution has ended or is no longer followed. Does nothing
   * if the run has no slot.
   */
  release(): void {
    if (!this.#permit) return
    this.#endedAt = this.#slots.elapsed()
    this.#slots.running -= 1
    this.#setPending(true)
    this.#permit[Symbol.dispose]()
    this.#permit = undefined
  }

  /** Removes a finished run from the number of pending runs. */
  endPending(): void {
    this.#setPending(false)
  }

  #setPending(isPending: boolean): void {
    this.#slots.pending += Number(isPending) - Number(this.#isPending)
    this.#isPending = isPending
  }
}
