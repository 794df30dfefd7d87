/** What the runs of a batch share. */
import type { BatchCollaborators, BatchListener, BatchPlan, RunRecord } from './batch.ts'
import { Semaphore } from './semaphore.ts'
import { SharedService, Stop } from './shared-service.ts'

/** More at once would each be slower, and links live 60 s. */
const maxDownloads = 8

export class Shared {
  readonly plan: BatchPlan
  readonly collaborators: BatchCollaborators
  readonly listener: BatchListener
  readonly stop: Stop
  readonly service: SharedService
  /** One for each run at once. */
  readonly slots: Semaphore
  /** The slots that are taken. */
  running = 0
  /** Runs that have ended and are not over. */
  pending = 0
  /** Of the runs that are over, in the order in which they came to be. */
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

  /** All runs see the same service: it is reported once. */
  trouble(failure: unknown): void {
    if (!this.#inTrouble) this.listener.onTrouble(failure)
    this.#inTrouble = true
  }

  recovery(): void {
    if (this.#inTrouble) this.listener.onRecovery()
    this.#inTrouble = false
  }
}
