/** The state that all runs of a batch share, and the slot that a run takes. */
import type { BatchEnv, BatchPlan, BatchRow, EmitBatch } from './batch.ts'
import { Semaphore } from './semaphore.ts'
import { SharedService, Stop } from './shared-service.ts'

/** The limit of parallel downloads. More downloads would be slower, and links expire after 60 s. */
export const maxDownloads = 8

export class Shared {
  readonly plan: BatchPlan
  readonly env: BatchEnv
  readonly emit: EmitBatch
  readonly stop: Stop
  readonly service: SharedService
  readonly slots: Semaphore
  /** The number of slots in use. */
  running = 0
  /** The number of runs that wait for their files, the check of their result, or a retry. */
  pending = 0
  /** All finished runs, in the order in which they finished. */
  readonly rows: BatchRow[] = []
  readonly downloads = new Semaphore(maxDownloads)
  readonly #beganAt: number

  constructor(plan: BatchPlan, env: BatchEnv, emit: EmitBatch) {
    this.plan = plan
    this.env = env
    this.emit = emit
    this.#beganAt = env.clock.now()
    this.stop = new Stop(plan.deadline.signal, env.cancelled, emit)
    this.service = new SharedService(env, this.stop, emit)
    this.slots = new Semaphore(plan.maxParallel)
  }

  /** Returns the milliseconds since the batch began. */
  elapsed(): number {
    return this.env.clock.now() - this.#beganAt
  }
}

/**
 * One of the `maxParallel` slots. A run takes a slot for each execution, and gives the slot back
 * when the execution has ended. Times are in milliseconds since the batch began.
 */
export class RunSlot {
  /** The time at which the run first had both a slot and an execution. */
  startedAt: number | undefined
  /** When the newest execution of the run ended. The files are fetched after this time. */
  #endedAt: number | undefined
  readonly #shared: Shared
  #permit: Disposable | undefined

  constructor(shared: Shared) {
    this.#shared = shared
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
    const shared = this.#shared
    this.#permit = await shared.slots.acquire(until)
    shared.running += 1
    if (this.#endedAt !== undefined) shared.pending -= 1
  }

  /** Sets `startedAt` when the first execution of the run is known. */
  markStart(): void {
    this.startedAt ??= this.#shared.elapsed()
  }

  /** Gives the slot back. Called when the execution has ended or is no longer followed. */
  leave(): void {
    if (!this.#permit) return
    this.#endedAt = this.#shared.elapsed()
    this.#shared.running -= 1
    this.#shared.pending += 1
    this.#permit[Symbol.dispose]()
    this.#permit = undefined
  }

  /** Removes a finished run from the number of pending runs. */
  close(): void {
    if (this.#endedAt !== undefined) this.#shared.pending -= 1
  }
}
