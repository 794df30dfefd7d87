/** What has become of the runs of a batch so far, in numbers alone. */
import { conclusions, factsOf, type Category, type Conclusion } from '../conclusion.ts'

/** Each run is in exactly one of them but `total`. */
export interface BatchCounts extends Record<Category, number> {
  total: number
}

/** A moment of a batch. */
export interface BatchSnapshot {
  /** Of the runs that are over; `total` of all. */
  counts: BatchCounts
  running: number
  /** Runs that have ended and are not over: their results are checked, or a retry is due. */
  pending: number
  /** Seeds whose turn has not come. */
  waiting: number
  /** Milliseconds until all are over, as those that are over let expect; undefined without any. */
  expectedRest: number | undefined
  /** Milliseconds for which nothing is sent, as the service has asked (`Retry-After`); else 0. */
  heldFor: number
}

export class Tally {
  readonly counts: BatchCounts
  running = 0
  pending = 0
  readonly #slots: number
  #over = 0
  /** The sum of the moments at which the running ones began. */
  #began = 0
  /** Executions that came to an end of their own, and the milliseconds that they took together. */
  #measured = { runs: 0, span: 0 }

  constructor(total: number, slots: number) {
    this.counts = { total, succeeded: 0, failed: 0, unknown: 0, unfinished: 0, notStarted: 0 }
    this.#slots = slots
  }

  begin(now: number): void {
    this.running += 1
    this.#began += now
  }

  /** An execution of a run that `begin` was called for has ended, or its following. */
  end(conclusion: Conclusion, began: number, now: number): void {
    this.running -= 1
    this.#began -= began
    if (!factsOf(conclusion).isSeen) return
    this.#measured.runs += 1
    this.#measured.span += now - began
  }

  /** A run is over. */
  count(conclusion: Conclusion): void {
    this.counts[conclusions[conclusion].category] += 1
    this.#over += 1
  }

  snapshot(now: number): Omit<BatchSnapshot, 'heldFor'> {
    const { running, pending } = this
    const waiting = this.counts.total - this.#over - running - pending
    const expectedRest = this.#expectedRest(waiting, now)
    return { counts: { ...this.counts }, running, pending, waiting, expectedRest }
  }

  /** What the runs will take in all by the mean of those before, through the slots that they use. */
  #expectedRest(waiting: number, now: number): number | undefined {
    const { runs, span } = this.#measured
    if (runs === 0) return undefined
    const mean = span / runs
    const age = this.running * now - this.#began
    const work = waiting * mean + Math.max(0, this.running * mean - age)
    return work / Math.max(1, Math.min(this.#slots, this.running + waiting))
  }
}
