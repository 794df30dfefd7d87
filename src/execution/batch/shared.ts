/** The state that all runs of a batch share, and the slot of one of them. */
import type { BatchCollaborators, BatchListener, BatchPlan, RunRecord } from './batch.ts'
import { Semaphore } from './semaphore.ts'
import { SharedService, Stop } from './shared-service.ts'

/** More parallel downloads would make each one slower, and links expire after 60 s. */
export const maxDownloads = 8

export class Shared {
  readonly plan: BatchPlan
  readonly collaborators: BatchCollaborators
  readonly listener: BatchListener
  readonly stop: Stop
  readonly service: SharedService
  /** One permit for each run that may run at once. */
  readonly slots: Semaphore
  /** How many slots are taken. */
  running = 0
  /** How many runs have ended and not finished. */
  pending = 0
  /** The records of the runs that have finished, in that order. */
  readonly records: RunRecord[] = []
  readonly downloads = new Semaphore(maxDownloads)
  readonly #beganAt: number
  #inTrouble = false

  constructor(plan: BatchPlan, collaborators: BatchCollaborators, listener: BatchListener) {
    this.plan = plan
    this.collaborators = collaborators
    this.listener = listener
    this.#beganAt = collaborators.clock.now()
    this.stop = new Stop(plan.deadline.signal, collaborators.cancelled, (cause) =>
      listener.onStop(cause),
    )
    this.service = new SharedService(collaborators, this.stop, (span) => listener.onHold(span))
    this.slots = new Semaphore(plan.maxParallel)
  }

  /** Milliseconds since the batch began. */
  elapsed(): number {
    return this.collaborators.clock.now() - this.#beganAt
  }

  /** Reports trouble once: all runs use the same service. */
  trouble(failure: unknown): void {
    if (!this.#inTrouble) this.listener.onTrouble(failure)
    this.#inTrouble = true
  }

  recovery(): void {
    if (this.#inTrouble) this.listener.onRecovery()
    this.#inTrouble = false
  }
}

/**
 * The slot of one run. The run takes it for each execution, and gives it back when that has ended.
 * Moments are milliseconds since the batch began.
 */
export class RunSlot {
  /** When the first execution was known while the run held its slot. */
  startedAt: number | undefined
  /** When the last execution ended, before its files were fetched. */
  endedAt: number | undefined
  readonly #shared: Shared
  #permit: Disposable | undefined

  constructor(shared: Shared) {
    this.#shared = shared
  }

  get isHeld(): boolean {
    return this.#permit !== undefined
  }

  /** Takes the slot. Rejects if `until` aborts before it is this run's turn. */
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

  /** An execution, or following it, has ended. Files may still be fetched and checked. */
  leave(): void {
    if (!this.#permit) return
    this.endedAt = this.#shared.elapsed()
    this.#shared.running -= 1
    this.#shared.pending += 1
    this.#permit[Symbol.dispose]()
    this.#permit = undefined
  }

  /** The run has finished, and its files were fetched. */
  close(): void {
    if (this.endedAt !== undefined) this.#shared.pending -= 1
  }
}
