/**
 * Delays the requests of all runs of a batch until `pace.ts` allows them. Limits the checks per second,
 * and sends no start after the batch has stopped.
 */
import type { Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import type { ExecutionStatus, StartAnswer } from '../../service/contract.ts'
import { HttpError, NotSentError, refusesCredentials } from '../../service/service-errors.ts'
import type { CheckPurpose } from '../watch.ts'
import type { Pauses } from './batch-types.ts'
import {
  afterAccepted,
  afterCheck,
  afterCheckSent,
  afterRejected,
  afterRunEnded,
  afterStartSent,
  checkDelay,
  endsLastChecks,
  maxUnclear,
  startDelay,
  unhindered,
  type Pace,
} from './pace.ts'
import { Semaphore } from './semaphore.ts'
import type { RunSlot } from './slots.ts'
import type { Stop } from './stop.ts'

const second = 1_000
/** The maximum number of status checks per second in one step, for all runs together. */
export const checksPerSecond = 5

export class RequestGate {
  readonly #clock: Clock
  readonly #stop: Stop
  #pace = unhindered
  /** Aborts at the next change of what waiting starts depend on. Undefined if no start waits. */
  #change: AbortController | undefined
  /** The number of requests that have no answer yet. */
  #inFlight = 0
  /** True once a request was answered with a 2xx status, so that the credentials are right. */
  #isProven = false
  /** The time of the next check that the limit allows. */
  #checkDueAt = -Infinity
  readonly #nextCheck = new Semaphore(1)

  constructor(clock: Clock, stop: Stop) {
    this.#clock = clock
    this.#stop = stop
  }

  pauses(): Pauses {
    const now = this.#clock.now()
    const { startsFrom, checksFrom } = this.#pace
    return { starts: Math.max(0, startsFrom - now), checks: Math.max(0, checksFrom - now) }
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
  async checkInTurn(
    purpose: CheckPurpose,
    signal: AbortSignal,
    send: () => Promise<ExecutionStatus>,
  ): Promise<ExecutionStatus> {
    // A check for new download links is made after the end of its execution. It is allowed after the
    // deadline.
    const isForLinks = purpose === 'links'
    const { timeUp } = this.#stop
    const isLast = timeUp.aborted && !isForLinks
    // Checks are sent in the order in which the runs request them. Checks for links come first,
    // because other runs wait until this download ends.
    await this.#nextCheck
      .within(signal, () => this.#untilCheckIsDue(signal, isLast), isForLinks)
      .catch(throwNotSent)
    if (isLast && endsLastChecks(this.#pace)) throwNotSent(timeUp.reason)
    const sentAt = this.#clock.now()
    try {
      const status = await this.#call(send)
      this.#isProven = true
      this.#noteCheck(undefined, sentAt, isLast)
      return status
    } catch (failure) {
      this.#noteCheck(failure, sentAt, isLast)
      throw await this.#afterOthers(failure, signal)
    }
  }

  /** Waits for the next check that the limit allows. No pause delays a last check. */
  async #untilCheckIsDue(signal: AbortSignal, isLast: boolean): Promise<void> {
    const rest = (now: number) =>
      Math.max(this.#checkDueAt - now, isLast ? 0 : checkDelay(this.#pace, now))
    const take = (now: number) => {
      // The distances are even, because a delay on the way could join the bursts of two seconds.
      this.#checkDueAt = now + second / checksPerSecond
      this.#pace = afterCheckSent(this.#pace, now)
    }
    await this.#untilDue(rest, take, (span) => this.#clock.sleep(span, signal))
  }

  #noteCheck(failure: unknown, sentAt: number, isLast: boolean): void {
    this.#pace = afterCheck(this.#pace, { failure, sentAt, at: this.#clock.now() }, isLast)
  }

  /**
   * Calls `send` when the run has a slot and the pauses of starts allow it. Rejects with a
   * {@link NotSentError} if the batch stops first. `check` throws if the answer is not clear.
   */
  async startInTurn(
    slot: RunSlot,
    send: () => Promise<StartAnswer>,
    check: (answer: StartAnswer) => void,
  ): Promise<StartAnswer> {
    const { noMoreStarts } = this.#stop
    // A retry takes a new slot, because the run gave its slot back after the previous execution.
    if (!slot.isTaken) await slot.take(noMoreStarts).catch(throwNotSent)
    const rest = (now: number) => startDelay(this.#pace, slot, now)
    const take = (now: number) => (this.#pace = afterStartSent(this.#pace, now))
    const sleep = (span: number) => this.#sleepUntilChange(span, noMoreStarts)
    await this.#untilDue(rest, take, sleep).catch(throwNotSent)
    if (noMoreStarts.aborted) throwNotSent(noMoreStarts.reason)
    const sentAt = this.#clock.now()
    try {
      const answer = await this.#call(send)
      this.#isProven ||= answer.status < 300
      check(answer)
      this.#update(afterAccepted(this.#pace))
      return answer
    } catch (failure) {
      this.#update(afterRejected(this.#pace, slot, { failure, sentAt, at: this.#clock.now() }))
      if (this.#pace.unclear >= maxUnclear) this.#stop.stopStarts('unclear-starts')
      throw await this.#afterOthers(failure, noMoreStarts)
    }
  }

  /** Lets other runs start, if they waited for a start of this run. */
  endRun(slot: RunSlot): void {
    this.#update(afterRunEnded(this.#pace, slot))
  }

  async #call<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    this.#inFlight += 1
    try {
      return await send()
    } finally {
      this.#inFlight -= 1
    }
  }

  /**
   * Returns the failure of a request. If the credentials were refused before any answer has proven
   * them, waits for the requests that are in flight, because one of them may prove them.
   */
  async #afterOthers(failure: unknown, signal: AbortSignal): Promise<unknown> {
    if (!refusesCredentials(failure) || failure.isProven) return failure
    while (!this.#isProven && this.#inFlight > 0 && !signal.aborted) {
      await this.#sleepUntilChange(second, signal).catch(() => undefined)
    }
    return this.#isProven ? proven(failure) : failure
  }

  /**
   * Waits until `rest` returns no more time to wait. Then calls `take` at once, so that no other
   * request gets the same turn. Looks every second whether a pause has ended early.
   */
  async #untilDue(
    rest: (now: number) => number,
    take: (now: number) => void,
    sleep: (span: number) => Promise<void>,
  ): Promise<void> {
    for (let span = rest(this.#clock.now()); span > 0; span = rest(this.#clock.now())) {
      await sleep(Math.min(span, second))
    }
    take(this.#clock.now())
  }

  /** Sleeps at most until the pace of starts changes. Rejects if `signal` aborts. */
  async #sleepUntilChange(span: number, signal: AbortSignal): Promise<void> {
    this.#change ??= new AbortController()
    const either = AbortSignal.any([signal, this.#change.signal])
    await this.#clock.sleep(span, either).catch(() => signal.throwIfAborted())
  }

  #update(pace: Pace): void {
    this.#pace = pace
    this.#change?.abort()
    this.#change = undefined
  }
}

function proven({ status, words, asked, retryAfter, executionId }: HttpError): HttpError {
  return new HttpError({ status, words, asked, retryAfter, executionId, isProven: true })
}

function throwNotSent(cause: unknown): never {
  throw new NotSentError(messageOf(cause), { cause })
}
