/** What the runs of a batch share. */
import type { Conclusion } from '../conclusion.ts'
import type { BatchCollaborators, BatchListener, BatchPlan } from './batch.ts'
import type { RunRecord } from './record.ts'
import { Semaphore } from './semaphore.ts'
import { SharedService, Stop } from './shared-service.ts'
import { Tally, type BatchSnapshot } from './tally.ts'

/** More at once would each be slower, and links live 60 s. */
const maxDownloads = 8

export class Shared {
  readonly plan: BatchPlan
  readonly collaborators: BatchCollaborators
  readonly listener: BatchListener
  readonly stop: Stop
  readonly service: SharedService
  readonly tally: Tally
  /** One for each run at once. */
  readonly slots: Semaphore
  readonly beganAt: number
  /** Of the runs that are over, in the order in which they came to be. */
  readonly records: RunRecord[] = []
  readonly downloads = new Semaphore(maxDownloads)
  #inTrouble = false

  constructor(plan: BatchPlan, collaborators: BatchCollaborators, listener: BatchListener) {
    const { service, clock, checksPerSecond, cancelled } = collaborators
    this.plan = plan
    this.collaborators = collaborators
    this.listener = listener
    this.stop = new Stop(plan.deadline.signal, cancelled)
    this.service = new SharedService(service, {
      clock,
      checksPerSecond,
      stop: this.stop,
      onHold: (span) => listener.onHold(span),
    })
    this.slots = new Semaphore(plan.maxParallel)
    this.tally = new Tally(plan.seeds.seeds.length, plan.maxParallel)
    this.beganAt = clock.now()
  }

  /** Milliseconds since the batch began. */
  elapsed(): number {
    return this.collaborators.clock.now() - this.beganAt
  }

  snapshot(): BatchSnapshot {
    return { ...this.tally.snapshot(this.elapsed()), heldFor: this.service.heldFor() }
  }

  failsStep(conclusion: Conclusion): boolean {
    return conclusion === 'unknown' || this.plan.failsStep(conclusion)
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
