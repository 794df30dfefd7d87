/**
 * Lets the requests of all runs of a batch through, one after the other if necessary. Limits the
 * checks per second, pauses all requests during a `Retry-After`, and lets no start through after the
 * batch has stopped.
 */
import type { Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { asksToWait, HttpError, NotSentError, refusesCredentials } from '../../service/errors.ts'
import type { EmitBatch } from './batch.ts'
import { Semaphore } from './semaphore.ts'
import type { RunSlot } from './slots.ts'
import type { Stop } from './stop.ts'

const second = 1_000
/** The maximum number of status checks per second in one step, for all runs together. */
export const checksPerSecond = 5
// How long after the end of a `Retry-After` starts are sent one by one, in milliseconds.
const serialStartsFor = 60_000
// After this number of last checks in a row that were answered with 429 or 503, no more are sent.
const maxOverloads = 2

export class RequestGate {
  readonly #clock: Clock
  readonly #stop: Stop
  readonly #emit: EmitBatch
  /** The end of the current `Retry-After` pause. No request is sent before this time. */
  #heldUntil = -Infinity
  /** The time of the next check that the limit allows. */
  #checkDueAt = -Infinity
  /** The number of last checks in a row that the service refused because of its load. */
  #overloads = 0
  readonly #nextCheck = new Semaphore(1)
  readonly #nextStart = new Semaphore(1)

  constructor(clock: Clock, stop: Stop, emit: EmitBatch) {
    this.#clock = clock
    this.#stop = stop
    this.#emit = emit
  }

  /** Returns the remaining milliseconds of the `Retry-After` pause, or 0 if there is no pause. */
  heldFor(): number {
    return Math.max(0, this.#heldUntil - this.#clock.now())
  }

  /**
   * Returns the minimum pause between two checks of one run, in milliseconds, if `runs` runs share
   * `checksPerSecond`. A tenth of the checks is reserved for first checks and for new download
   * links.
   */
  pauseFor(runs: number): number {
    return (runs * second) / (0.9 * checksPerSecond)
  }

  /**
   * Calls `send` when the limit of checks allows it. Rejects with a {@link NotSentError} if `signal`
   * aborts first.
   */
  async checkInTurn<Status>(
    slot: RunSlot,
    signal: AbortSignal,
    send: () => Promise<Status>,
  ): Promise<Status> {
    // After the end of its execution, a run has no slot, and checks only for new download links. This
    // is allowed after the deadline.
    const isForLinks = !slot.isTaken
    const isLast = this.#stop.timeUp.aborted && !isForLinks
    // Checks are sent in the order in which the runs request them. Checks for links come first,
    // because other runs wait until this download ends.
    await this.#nextCheck
      .within(signal, () => this.#untilCheckIsDue(signal, isLast), isForLinks)
      .catch(throwNotSent)
    // A service that is overloaded gets no more last checks.
    if (isLast && this.#overloads >= maxOverloads) throwNotSent(this.#stop.timeUp.reason)
    try {
      const status = await this.#observe(send())
      this.#overloads = 0
      return status
    } catch (error) {
      if (isLast) this.#overloads = isOverload(error) ? this.#overloads + 1 : 0
      // Credentials that were accepted before may be accepted again.
      if (refusesCredentials(error) && !error.isProven) this.#stopAfter(error)
      throw error
    }
  }

  /** Waits for the next check that the limit allows. No pause delays a last check. */
  async #untilCheckIsDue(signal: AbortSignal, isLast: boolean): Promise<void> {
    const rest = () => Math.max(this.#checkDueAt - this.#clock.now(), isLast ? 0 : this.heldFor())
    for (let span = rest(); span > 0; span = rest()) await this.#clock.sleep(span, signal)
    // Even distances: after a delay on the way, bursts of two seconds could arrive in one second.
    this.#checkDueAt = this.#clock.now() + second / checksPerSecond
  }

  /**
   * Calls `send` when the run has a slot and the pause of a `Retry-After` is over. Rejects with a
   * {@link NotSentError} if the batch stops first.
   */
  async startInTurn<Answer>(slot: RunSlot, send: () => Promise<Answer>): Promise<Answer> {
    const { noMoreStarts } = this.#stop
    // A retry takes a new slot, because the run gave its slot back after the previous execution.
    if (!slot.isTaken) await slot.take(noMoreStarts).catch(throwNotSent)
    // During and after a `Retry-After`, starts are sent one by one, so that at most one is refused.
    const isSerial = this.#clock.now() - this.#heldUntil < serialStartsFor
    using _turn = isSerial
      ? await this.#nextStart.acquire(noMoreStarts).catch(throwNotSent)
      : undefined
    for (let span = this.heldFor(); span > 0; span = this.heldFor()) {
      await this.#clock.sleep(span, noMoreStarts).catch(throwNotSent)
    }
    if (noMoreStarts.aborted) throwNotSent(noMoreStarts.reason)
    try {
      return await this.#observe(send())
    } catch (error) {
      if (!refusesCredentials(error)) throw error
      this.#stopAfter(error)
      // The batch has stopped, so the start is not sent again.
      if (error.isProven) throwNotSent(error)
      throw error
    }
  }

  #stopAfter({ status }: HttpError): void {
    this.#stop.needsOtherCredentials ||= status === 401
    this.#stop.stopStarts('credentials')
  }

  /** Waits for the answer. A `Retry-After` pauses all runs. */
  async #observe<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer
    } catch (error) {
      if (asksToWait(error)) this.#hold(error.retryAfter ?? 0)
      throw error
    }
  }

  #hold(retryAfter: number): void {
    const isHeld = this.heldFor() > 0
    // A shorter `Retry-After` does not shorten a longer pause that has already begun.
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + retryAfter)
    if (!isHeld && retryAfter > 0) this.#emit({ kind: 'held', span: retryAfter })
  }
}

function isOverload(error: unknown): boolean {
  return error instanceof HttpError && [429, 503].includes(error.status)
}

function throwNotSent(cause: unknown): never {
  throw new NotSentError(messageOf(cause), { cause })
}
