import type { HttpError } from '../../service/errors.ts'
import type { BatchSeed } from './seed-list.ts'

/** Why a batch starts no more runs. */
export type StopReason = 'cancelled' | 'timed-out' | 'credentials' | 'fail-fast' | 'internal-error'

/** What is said of a seed that was not started for it. */
export const stopWords: Record<StopReason, string> = {
  cancelled: 'the step was cancelled before its turn',
  'timed-out': 'the input timeout ran out before its turn',
  credentials: 'the service refused the credentials',
  'fail-fast': 'an earlier run failed (fail-fast)',
  'internal-error': 'the step itself went wrong before its turn',
}

/** The run for which no more are started. */
export interface StopCause {
  seed: BatchSeed
  /** Which call was answered 401 or 403, where that is the reason. */
  call?: 'start' | 'check'
  failure?: HttpError
  /** Whether that run was in a slot: it is no longer followed. */
  isRunning?: boolean
}

/** The first reason counts. */
export class Stop {
  reason: StopReason | undefined
  /** Undefined where it was no run. */
  cause: StopCause | undefined
  readonly #controller = new AbortController()
  readonly signal = this.#controller.signal

  /** `deadline`: ends with the step's time, or with the cancellation, its parent. */
  constructor(deadline: AbortSignal, cancelled: AbortSignal) {
    const onDeadline = () => this.now(cancelled.aborted ? 'cancelled' : 'timed-out')
    if (deadline.aborted) onDeadline()
    else deadline.addEventListener('abort', onDeadline)
  }

  now(reason: StopReason, cause?: StopCause): void {
    if (this.reason !== undefined) return
    this.reason = reason
    this.cause = cause
    this.#controller.abort(new Error(stopWords[reason]))
  }
}
