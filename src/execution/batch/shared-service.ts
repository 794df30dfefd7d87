/**
 * Sends the requests of all runs of a batch. Limits the checks per second, pauses all requests
 * during a `Retry-After`, and sends no start after the batch has stopped.
 */
import { messageOf } from '../../errors.ts'
import type { ExecutionStatus, StartAnswer } from '../../service/contract.ts'
import { HttpError, NotSentError, refusesCredentials, ServiceError } from '../../service/errors.ts'
import type { BatchEnv, BatchSeed, EmitBatch, StopCause } from './batch.ts'
import { Semaphore } from './semaphore.ts'

/** Stops the start of further runs, and keeps the first reason for the stop. */
export class Stop {
  cause: StopCause | undefined
  /** True after a 401. */
  needsOtherCredentials = false
  readonly #controller = new AbortController()
  readonly signal = this.#controller.signal
  /** Aborts at the deadline of the step, or when the step is cancelled. */
  readonly deadline: AbortSignal
  readonly #emit: EmitBatch
  #isOver = false

  constructor(deadline: AbortSignal, cancelled: AbortSignal, emit: EmitBatch) {
    this.deadline = deadline
    this.#emit = emit
    const onDeadline = () => this.now(cancelled.aborted ? 'cancelled' : 'timed-out')
    if (deadline.aborted) onDeadline()
    else deadline.addEventListener('abort', onDeadline)
  }

  /** Returns true if a start was not sent, or not sent again, because the batch had stopped. */
  explains(failure: unknown): boolean {
    if (this.signal.aborted && asksToWait(failure)) return true
    const cause = failure instanceof ServiceError ? failure.cause : failure
    if (cause === undefined) return false
    return cause === this.signal.reason || cause === this.deadline.reason
  }

  now(cause: StopCause): void {
    if (this.cause || this.#isOver) return
    this.cause = cause
    this.#controller.abort(new Error('no more runs are started'))
    this.#emit({ kind: 'stopped', cause })
  }

  /** Called after the last run. A later cancellation stops nothing. */
  end(): void {
    this.#isOver = true
  }
}

/** The run that sends a request. */
interface Caller {
  seed: BatchSeed
  slot: { isHeld: boolean; take(until: AbortSignal): Promise<void> }
}

const second = 1_000
/** The maximum number of status checks per second in one step, for all runs together. */
export const checksPerSecond = 5
// How long after the end of a `Retry-After` starts are sent one by one, in milliseconds.
const serialStartsFor = 60_000

export class SharedService {
  readonly #env: BatchEnv
  readonly #stop: Stop
  readonly #emit: EmitBatch
  /** The end of the current `Retry-After` pause. No request is sent before this time. */
  #heldUntil = -Infinity
  /** The time of the next check that the limit allows. */
  #checkDueAt = -Infinity
  readonly #nextCheck = new Semaphore(1)
  readonly #nextStart = new Semaphore(1)

  constructor(env: BatchEnv, stop: Stop, emit: EmitBatch) {
    this.#env = env
    this.#stop = stop
    this.#emit = emit
  }

  /** Returns the remaining milliseconds of the `Retry-After` pause, or 0 if there is no pause. */
  heldFor(): number {
    return Math.max(0, this.#heldUntil - this.#env.clock.now())
  }

  /**
   * Returns the minimum pause between two checks of one run, in milliseconds, if `runs` runs share
   * `checksPerSecond`. A tenth of the checks is reserved for first checks and for new download
   * links.
   */
  pauseFor(runs: number): number {
    return (runs * second) / (0.9 * checksPerSecond)
  }

  /** Checks an execution when the limit of checks allows it. */
  async check(caller: Caller, executionId: string, signal: AbortSignal): Promise<ExecutionStatus> {
    // A run without a slot checks only for new download links. This is allowed after the deadline.
    const isForLinks = !caller.slot.isHeld
    const isLast = this.#stop.deadline.aborted && !isForLinks
    if (isLast && this.heldFor() > 0) notSent(this.#stop.deadline.reason)
    // Checks are sent in the order in which the runs request them. Checks for links come first,
    // because other runs wait until this download ends.
    await this.#nextCheck
      .within(signal, () => this.#untilCheckIsDue(signal), isForLinks)
      .catch(notSent)
    return this.#observe(this.#env.check(executionId, signal))
  }

  async #untilCheckIsDue(signal: AbortSignal): Promise<void> {
    const rest = () => Math.max(this.#checkDueAt - this.#env.clock.now(), this.heldFor())
    for (let span = rest(); span > 0; span = rest()) await this.#env.clock.sleep(span, signal)
    // Even distances: after a delay on the way, bursts of two seconds could arrive in one second.
    this.#checkDueAt = this.#env.clock.now() + second / checksPerSecond
  }

  /** Sends one start when a slot is free and no `Retry-After` runs. */
  async start(
    caller: Caller,
    signal: AbortSignal,
    whileConnecting: AbortSignal,
  ): Promise<StartAnswer> {
    const stop = this.#stop.signal
    // A retry takes a new slot, because the run gave its slot back after the previous execution.
    if (!caller.slot.isHeld) await caller.slot.take(stop).catch(notSent)
    // During and after a `Retry-After`, starts are sent one by one, so that at most one is refused.
    const isSerial = this.#env.clock.now() - this.#heldUntil < serialStartsFor
    const turn = isSerial ? await this.#nextStart.acquire(stop).catch(notSent) : undefined
    try {
      for (let span = this.heldFor(); span > 0; span = this.heldFor()) {
        await this.#env.clock.sleep(span, stop).catch(notSent)
      }
      if (stop.aborted) notSent(stop.reason)
      const answer = this.#env.start(caller.seed, signal, whileConnecting)
      return await this.#observe(answer)
    } finally {
      turn?.[Symbol.dispose]()
    }
  }

  /** Waits for the answer. A `Retry-After` pauses all runs. Refused credentials stop the batch. */
  async #observe<Value>(answer: Promise<Value>): Promise<Value> {
    try {
      return await answer
    } catch (error) {
      if (asksToWait(error)) this.#hold(error.retryAfter)
      if (refusesCredentials(error)) {
        this.#stop.needsOtherCredentials ||= error.status === 401
        this.#stop.now('credentials')
      }
      throw error
    }
  }

  #hold(retryAfter: number): void {
    const isHeld = this.heldFor() > 0
    // A shorter `Retry-After` does not shorten a longer pause that has already begun.
    this.#heldUntil = Math.max(this.#heldUntil, this.#env.clock.now() + retryAfter)
    if (!isHeld && retryAfter > 0) this.#emit({ kind: 'held', span: retryAfter })
  }
}

function asksToWait(error: unknown): error is HttpError & { retryAfter: number } {
  if (!(error instanceof HttpError) || error.retryAfter === undefined) return false
  return error.status === 429 || error.status === 503
}

export function notSent(cause: unknown): never {
  throw new NotSentError(messageOf(cause), { cause })
}
