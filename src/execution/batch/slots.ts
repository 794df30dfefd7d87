/** Limits how many executions of a batch run at the same time. */
import type { Clock } from '../../clock.ts'
import { Semaphore } from './semaphore.ts'

export class Slots {
  /** The number of slots whose runs are followed, or wait for their start. */
  taken = 0
  /** The number of taken slots whose executions have started. */
  running = 0
  /** The number of slots that are kept after an unclear start. */
  kept = 0
  readonly permits: Semaphore
  /** When the batch began, as a time of the clock. */
  readonly beganAt: number
  readonly #clock: Clock
  readonly #noMoreStarts: AbortSignal

  constructor(maxParallel: number, clock: Clock, noMoreStarts: AbortSignal) {
    this.permits = new Semaphore(maxParallel)
    this.#clock = clock
    this.#noMoreStarts = noMoreStarts
    this.beganAt = clock.now()
  }

  /** Gives a permit back after `span` milliseconds, or when the batch starts no more runs. */
  async giveBack(permit: Disposable, span: number): Promise<void> {
    if (span > 0) {
      this.kept += 1
      await this.#clock.sleep(span, this.#noMoreStarts).catch(() => undefined)
      this.kept -= 1
    }
    permit[Symbol.dispose]()
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
  readonly #slots: Slots
  #permit: Disposable | undefined
  #isStarted = false

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
    this.#slots.taken += 1
  }

  /** Sets `startedAt`, unless it is set. `at` is a time of the clock. */
  markStart(at: number): void {
    this.startedAt ??= at - this.#slots.beganAt
    if (!this.#isStarted) this.#slots.running += 1
    this.#isStarted = true
  }

  /**
   * Gives the slot back after `span` milliseconds. Called when the execution has ended or is no longer
   * followed. Does nothing if the run has no slot.
   */
  release(span: number): void {
    if (!this.#permit) return
    this.#endedAt = this.#slots.elapsed()
    this.#slots.taken -= 1
    if (this.#isStarted) this.#slots.running -= 1
    this.#isStarted = false
    void this.#slots.giveBack(this.#permit, span)
    this.#permit = undefined
  }
}
