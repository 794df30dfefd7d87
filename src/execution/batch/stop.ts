import type { BatchSeed } from './seed-list.ts'

/** Why a batch starts no more runs. */
export type StopReason = 'cancelled' | 'timed-out' | 'credentials' | 'fail-fast' | 'surprise'

/** What is said of a seed that was not started for it. */
export const stopWords: Record<StopReason, string> = {
  cancelled: 'the step was cancelled before its turn',
  'timed-out': 'the input timeout ran out before its turn',
  credentials: 'the service refused the credentials for a start',
  'fail-fast': 'an earlier run failed (fail-fast)',
  surprise: 'the step itself went wrong before its turn',
}

/** The run for which no more are started. */
export interface StopCause {
  seed: BatchSeed
  /** Why its start was refused, where that is the reason. */
  failure?: unknown
}

/** The first reason stands. */
export class Stop {
  readonly #controller = new AbortController()
  #reason: StopReason | undefined
  #cause: StopCause | undefined

  /** `deadline`: ends with the step's time, or with the cancellation, its parent. */
  constructor(deadline: AbortSignal, cancelled: AbortSignal) {
    const onDeadline = () => this.now(cancelled.aborted ? 'cancelled' : 'timed-out')
    if (deadline.aborted) onDeadline()
    else deadline.addEventListener('abort', onDeadline)
  }

  now(reason: StopReason, cause?: StopCause): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.#cause = cause
    this.#controller.abort(new Error(stopWords[reason]))
  }

  get reason(): StopReason | undefined {
    return this.#reason
  }

  /** Undefined where it was no run. */
  get cause(): StopCause | undefined {
    return this.#cause
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }
}
