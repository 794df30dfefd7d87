/**
 * The service that all runs of a batch share. It has one budget of checks and one hold for
 * `Retry-After`, and sends no start after the batch has stopped.
 */
import type { Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import type { ExecutionService, StartRequest } from '../../service/client.ts'
import type { ExecutionStatus, StartAnswer } from '../../service/contract.ts'
import { HttpError, NotSentError, refusesCredentials } from '../../service/errors.ts'
import type { BatchCollaborators, BatchListener, BatchSeed, RunStop, StopCause } from './batch.ts'
import { Semaphore } from './semaphore.ts'

/** Stops the starting of runs. The first cause counts. */
export class Stop {
  cause: StopCause | undefined
  /** The first 401 or 403, even if the batch had stopped before. */
  refusal: RunStop | undefined
  readonly #controller = new AbortController()
  readonly signal = this.#controller.signal
  /** Aborts at the deadline of the step, or when the step is cancelled. */
  readonly deadline: AbortSignal
  readonly #onStop: (cause: StopCause) => void

  constructor(deadline: AbortSignal, cancelled: AbortSignal, onStop: (cause: StopCause) => void) {
    this.deadline = deadline
    this.#onStop = onStop
    const onDeadline = () => this.now({ kind: cancelled.aborted ? 'cancelled' : 'timed-out' })
    if (deadline.aborted) onDeadline()
    else deadline.addEventListener('abort', onDeadline)
  }

  /** Whether a start was not sent, or not sent again, because the batch had stopped. */
  explains(failure: unknown): boolean {
    if (this.signal.aborted && asksToWait(failure)) return true
    const cause = failure instanceof NotSentError ? failure.cause : failure
    return cause === this.signal.reason || cause === this.deadline.reason
  }

  now(cause: StopCause): void {
    if (cause.kind === 'credentials') this.refusal ??= cause
    if (this.cause) return
    this.cause = cause
    this.#controller.abort(new Error('no more runs are started'))
    this.#onStop(cause)
  }
}

/** The run for which a call is made. */
interface Caller {
  seed: BatchSeed
  slot: { isHeld: boolean; take(until: AbortSignal): Promise<void> }
}

const second = 1_000
/** The limit for one step, with any number of runs. */
export const checksPerSecond = 5
// Milliseconds. A service that limits starts would refuse starts that are sent together after a pause.
const serialStartsFor = 60_000

export class SharedService {
  readonly #service: ExecutionService
  readonly #clock: Clock
  readonly #stop: Stop
  readonly #onHold: BatchListener['onHold']
  /** Nothing is sent before this moment (`Retry-After`). */
  #heldUntil = -Infinity
  /** The moments of the last checks, oldest first. Has at most `checksPerSecond` of them. */
  readonly #sent: number[] = []
  readonly #nextCheck = new Semaphore(1)
  readonly #nextStart = new Semaphore(1)

  /** `stop`: says when no more runs are started, at the latest at the deadline of the step. */
  constructor({ service, clock }: BatchCollaborators, stop: Stop, onHold: BatchListener['onHold']) {
    this.#service = service
    this.#clock = clock
    this.#stop = stop
    this.#onHold = onHold
  }

  /** Returns the service for one run. */
  forRun(caller: Caller): ExecutionService {
    return {
      startAutomation: (request, signal) =>
        this.#start(caller, { ...request, seed: caller.seed.text }, signal),
      executionStatus: (executionId, signal) => this.#check(caller, executionId, signal),
    }
  }

  /** Returns for how many milliseconds nothing is sent, because the service asked for it. */
  heldFor(): number {
    return Math.max(0, this.#heldUntil - this.#clock.now())
  }

  /**
   * Returns the pause between two checks of a run, in milliseconds, if so many runs are followed. It
   * leaves a tenth of the budget to first checks and fresh links.
   */
  pauseFor(runs: number): number {
    return (runs * second) / (0.9 * checksPerSecond)
  }

  async #check(caller: Caller, executionId: string, signal: AbortSignal): Promise<ExecutionStatus> {
    // A run that has ended needs fresh links. The download of its files has a bound of its own.
    const isLast = this.#stop.deadline.aborted && caller.slot.isHeld
    if (isLast && this.heldFor() > 0) notSent(this.#stop.deadline.reason)
    // Checks are made in the order in which they were asked for.
    await this.#nextCheck.within(signal, () => this.#untilCheckIsDue(signal)).catch(notSent)
    return this.#observe(caller, 'check', this.#service.executionStatus(executionId, signal))
  }

  async #untilCheckIsDue(signal: AbortSignal): Promise<void> {
    const rest = () => {
      const oldest = this.#sent.length === checksPerSecond ? this.#sent[0] : undefined
      return Math.max((oldest ?? -Infinity) + second - this.#clock.now(), this.heldFor())
    }
    for (let span = rest(); span > 0; span = rest()) await this.#clock.sleep(span, signal)
    this.#sent.push(this.#clock.now())
    if (this.#sent.length > checksPerSecond) this.#sent.shift()
  }

  async #start(caller: Caller, request: StartRequest, signal: AbortSignal): Promise<StartAnswer> {
    const stop = this.#stop.signal
    // A retry needs the slot again: the run gave it back when the execution before ended.
    if (!caller.slot.isHeld) await caller.slot.take(stop).catch(notSent)
    // While the service limits starts, they are sent one by one, so that only one is refused.
    const isSerial = this.#clock.now() - this.#heldUntil < serialStartsFor
    const turn = isSerial ? await this.#nextStart.acquire(stop).catch(notSent) : undefined
    try {
      for (let span = this.heldFor(); span > 0; span = this.heldFor()) {
        await this.#clock.sleep(span, stop).catch(notSent)
      }
      if (stop.aborted) notSent(stop.reason)
      return await this.#observe(caller, 'start', this.#service.startAutomation(request, signal))
    } finally {
      turn?.[Symbol.dispose]()
    }
  }

  /** A `Retry-After` holds all runs. Refused credentials stop the batch: the service would refuse all. */
  async #observe<Value>(
    { seed }: Caller,
    call: 'start' | 'check',
    answer: Promise<Value>,
  ): Promise<Value> {
    try {
      return await answer
    } catch (error) {
      if (asksToWait(error)) this.#hold(error.retryAfter)
      if (refusesCredentials(error)) {
        const failure = error
        this.#stop.now({ kind: 'credentials', seed, call, failure })
      }
      throw error
    }
  }

  #hold(retryAfter: number): void {
    const isHeld = this.heldFor() > 0
    // A longer hold that is already set is kept.
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + retryAfter)
    if (!isHeld && retryAfter > 0) this.#onHold(retryAfter)
  }
}

function asksToWait(error: unknown): error is HttpError & { retryAfter: number } {
  if (!(error instanceof HttpError) || error.retryAfter === undefined) return false
  return error.status === 429 || error.status === 503
}

export function notSent(cause: unknown): never {
  throw new NotSentError(messageOf(cause), { cause })
}
