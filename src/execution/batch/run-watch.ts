/** Hears of one run on its way, and gives its slot back at its end. */
import type { StartAnswer } from '../../service/contract.ts'
import type { Conclusion } from '../conclusion.ts'
import type { RunRecord } from './record.ts'
import type { ExecutionReport } from '../execution-report.ts'
import type { RetryListener } from '../retries.ts'
import { conclude } from './outcome.ts'
import type { BatchSeed } from './seed-list.ts'
import type { Shared } from './shared.ts'

export class RunWatch {
  readonly attempts: RunRecord['attempts'][number][] = []
  /** The last execution that is known of this run. */
  executionId: string | undefined
  startedAt: number | undefined
  endedAt: number | undefined
  /** What it came to, once it has. */
  conclusion: Conclusion | undefined
  /** While an execution of an earlier attempt is followed, which may turn out to be gone. */
  isResuming = false
  readonly #seed: BatchSeed
  readonly #shared: Shared
  readonly #slot: Disposable
  readonly #beganAt: number

  constructor(seed: BatchSeed, slot: Disposable, shared: Shared) {
    this.#seed = seed
    this.#shared = shared
    this.#slot = slot
    this.#beganAt = shared.collaborators.clock.now()
    shared.tally.begin(this.#beganAt)
  }

  listener(): RetryListener {
    const { listener } = this.#shared
    const seed = this.#seed
    return {
      onStartRetry: (error, pause) => listener.onStartRetry(seed, error, pause),
      onStarted: ({ executionId }: StartAnswer) => this.found(executionId),
      onWait: () => undefined,
      onStatus: (status) => listener.onStatus(status),
      onCheck: () => undefined,
      onPause: () => undefined,
      onTrouble: (failure) => this.#shared.trouble(failure),
      onRecovery: () => this.#shared.recovery(),
      onEnding: (report) => this.#ended(report),
      onSettled: (report) => this.#settled(report),
      onRetry: (report, pause) => listener.onRetry(seed, report, pause),
    }
  }

  /** An execution of this run is known. */
  found(executionId: string): void {
    this.executionId = executionId
    this.startedAt ??= this.#shared.elapsed()
    this.#shared.listener.onStarted(this.#seed, executionId)
  }

  /** The run is over, whatever is still to be fetched: its slot is free. The first call counts. */
  settle(conclusion: Conclusion): void {
    if (this.conclusion !== undefined) return
    const { tally, stop, plan, collaborators } = this.#shared
    this.conclusion = conclusion
    this.endedAt = this.#shared.elapsed()
    tally.end(conclusion, this.#beganAt, collaborators.clock.now())
    if (plan.failFast && this.#shared.failsStep(conclusion)) {
      stop.now('fail-fast', { seed: this.#seed })
    }
    this.#slot[Symbol.dispose]()
  }

  /** What a whole report, after its retries, comes to. */
  settleWith(report: ExecutionReport): void {
    this.settle(conclude(report, this.attempts))
  }

  #ended({ executionId, conclusion }: ExecutionReport): void {
    if (executionId === undefined) return
    this.attempts.push({ executionId, conclusion })
  }

  #settled(report: ExecutionReport): void {
    // Another one is started in its place.
    if (this.isResuming && report.ending.kind === 'not-found') return
    this.settleWith(report)
  }
}
