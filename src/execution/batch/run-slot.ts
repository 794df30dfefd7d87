/** The slot of one run: taken for each of its executions, given back when that has ended. */
import type { ExecutionService } from '../../service/client.ts'
import type { Conclusion } from '../conclusion.ts'
import type { Shared } from './shared.ts'
import { notSent } from './shared-service.ts'

/** Moments are milliseconds since the batch began. */
export class RunSlot {
  /** The first execution of the run that was known while it held a slot. */
  startedAt: number | undefined
  /** The last execution's end, before its files were fetched. */
  endedAt: number | undefined
  readonly #shared: Shared
  #permit: Disposable | undefined
  #takenAt = NaN
  #isKnown = false

  constructor(shared: Shared) {
    this.#shared = shared
  }

  get isHeld(): boolean {
    return this.#permit !== undefined
  }

  /** Rejects where `until` aborts before it is this run's turn. */
  async take(until: AbortSignal): Promise<void> {
    const { tally, slots } = this.#shared
    this.#permit = await slots.acquire(until)
    this.#takenAt = this.#shared.elapsed()
    tally.begin(this.#takenAt)
    if (this.endedAt !== undefined) tally.pending -= 1
    if (this.#isKnown) this.begin()
  }

  /** An execution is known. */
  begin(): void {
    this.#isKnown = true
    if (this.isHeld) this.startedAt ??= this.#shared.elapsed()
  }

  /** An execution has ended, or its following, whatever is still to be fetched or checked. */
  leave(conclusion: Conclusion): void {
    if (!this.#permit) return
    const { tally } = this.#shared
    this.endedAt = this.#shared.elapsed()
    tally.end(conclusion, this.#takenAt, this.endedAt)
    tally.pending += 1
    this.#permit[Symbol.dispose]()
    this.#permit = undefined
  }

  /** The run is over, whatever is still to be fetched. */
  settle(conclusion: Conclusion): void {
    const { tally } = this.#shared
    this.leave(conclusion)
    if (this.endedAt !== undefined) tally.pending -= 1
    tally.count(conclusion)
  }

  /** What follows another execution, at whose end the slot was given back, waits for one again. */
  startingWith(service: ExecutionService): ExecutionService {
    const { stop } = this.#shared
    return {
      executionStatus: (executionId, signal) => service.executionStatus(executionId, signal),
      startAutomation: async (request, signal) => {
        if (!this.isHeld) await this.take(stop.signal).catch(notSent)
        return service.startAutomation(request, signal)
      },
    }
  }
}
