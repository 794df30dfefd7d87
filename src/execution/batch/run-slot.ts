/** The slot of one run: taken for each of its executions, given back when that has ended. */
import type { Shared } from './shared.ts'

/** Moments are milliseconds since the batch began. */
export class RunSlot {
  /** The first execution of the run that was known while it held a slot. */
  startedAt: number | undefined
  /** The last execution's end, before its files were fetched. */
  endedAt: number | undefined
  readonly #shared: Shared
  #permit: Disposable | undefined

  constructor(shared: Shared) {
    this.#shared = shared
  }

  get isHeld(): boolean {
    return this.#permit !== undefined
  }

  /** Rejects where `until` aborts before it is this run's turn. */
  async take(until: AbortSignal): Promise<void> {
    const shared = this.#shared
    this.#permit = await shared.slots.acquire(until)
    shared.running += 1
    if (this.endedAt !== undefined) shared.pending -= 1
  }

  /** An execution is known. */
  begin(): void {
    if (this.isHeld) this.startedAt ??= this.#shared.elapsed()
  }

  /** An execution has ended, or its following, whatever is still to be fetched or checked. */
  leave(): void {
    if (!this.#permit) return
    this.endedAt = this.#shared.elapsed()
    this.#shared.running -= 1
    this.#shared.pending += 1
    this.#permit[Symbol.dispose]()
    this.#permit = undefined
  }

  /** The run is over, with its files fetched. */
  close(): void {
    if (this.endedAt !== undefined) this.#shared.pending -= 1
  }
}
