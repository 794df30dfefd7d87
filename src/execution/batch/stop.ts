/** Stops the starts of a batch, and keeps the reason. */
import { isCausedBy } from '../../clock.ts'
import { asksToWait } from '../../service/service-errors.ts'
import type { EmitBatch, StopReason } from './batch-types.ts'

export class Stop {
  /** The first reason. Undefined as long as the batch starts runs. */
  reason: StopReason | undefined
  /** True after a 401. */
  needsOtherCredentials = false
  readonly #controller = new AbortController()
  /** Aborts when the batch stops. */
  readonly noMoreStarts = this.#controller.signal
  /** Aborts at the deadline of the step, or when the step is cancelled. */
  readonly timeUp: AbortSignal
  readonly #emit: EmitBatch

  constructor(timeUp: AbortSignal, cancelled: AbortSignal, emit: EmitBatch) {
    this.timeUp = timeUp
    this.#emit = emit
    const onTimeUp = () => this.stopStarts(cancelled.aborted ? 'cancelled' : 'timed-out')
    if (timeUp.aborted) onTimeUp()
    else timeUp.addEventListener('abort', onTimeUp)
  }

  stopStarts(reason: StopReason): void {
    if (this.noMoreStarts.aborted) return
    this.reason = reason
    this.#controller.abort(new Error('no more runs are started'))
    this.#emit({ kind: 'starts-stopped', reason })
  }

  /** Returns the reason of the stop if a start was not sent, or not sent again, because of it. */
  reasonFor(failure: unknown): StopReason | undefined {
    if (this.noMoreStarts.aborted && asksToWait(failure)) return this.reason
    const isByStop = isCausedBy(failure, this.noMoreStarts) || isCausedBy(failure, this.timeUp)
    return isByStop ? this.reason : undefined
  }

  /** Called after the last run. A later cancellation stops nothing. */
  end(): void {
    this.#controller.abort()
  }
}
