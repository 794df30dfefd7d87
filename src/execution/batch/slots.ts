/** Limits how many executions of a batch run at the same time. */
import type { Clock } from '../../clock.ts'
import { Semaphore } from './semaphore.ts'

export class Slots {
  /** The number of slots in use. */
  running = 0
  /** The number of runs that wait for their files, the check of their result, or a retry. */
  pending = 0
  readonly free: Semaphore
  readonly #clock: Clock
  readonly #beganAt: number

  constructor(maxParallel: number, clock: Clock) {
    this.free = new Semaphore(maxParallel)
    this.#clock = clock
    this.#beganAt = clock.now()
  }

  /** Returns the milliseconds since the batch began. */
  elapsed(): number {
    return this.#clock.now() - this.#beganAt
  }
}

/**
 * The slot of one run. A run takes a slot for each execution, and gives the slot back when the
 * execution has ended. Times are in milliseconds since the batch began.
 */
export class RunSlot {
  /** The time at which the run first had both a slot and an execution. */
  startedAt: number | undefined
  /** When the newest execution of the run ended. The files are fetched after this time. */
  #endedAt: number | undefined
  readonly #slots: Slots
  #permit: Disposable | undefined

  constructor(slots: Slots) {
    this.#slots = slots
  }

  get isHeld(): boolean {
    return this.#permit !== undefined
  }

  /** Milliseconds until the newest execution of the run ended. Undefined if not known. */
  get duration(): number | undefined {
    const [from, to] = [this.startedAt, this.#endedAt]
    return from === undefined || to === undefined ? undefined : Math.max(0, to - from)
  }

  /** Waits for a free slot and takes the slot. Rejects if `until` aborts first. */
  async take(until: AbortSignal): Promise<void> {
    this.#permit = await this.#slots.free.acquire(until)
    this.#slots.running += 1
    if (this.#endedAt !== undefined) this.#slots.pending -= 1
  }

  /** Sets `startedAt` when the first execution of the run is known. */
  markStart(): void {
    this.startedAt ??= this.#slots.elapsed()
  }

  /** Gives the slot back. Called when the execution has ended or is no longer followed. */
  leave(): void {
    if (!this.#permit) return
    this.#endedAt = this.#slots.elapsed()
    this.#slots.running -= 1
    this.#slots.pending += 1
    this.#permit[Symbol.dispose]()
    this.#permit = undefined
  }

  /** Removes a finished run from the number of pending runs. */
  close(): void {
    if (this.#endedAt !== undefined) this.#slots.pending -= 1
  }
}
