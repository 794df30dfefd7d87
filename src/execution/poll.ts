/**
 * Asks for an execution's status until it ends, the time is over, or it can no longer be watched.
 * Knows neither GitHub nor the network.
 */
import { Deadline, type Clock } from '../clock.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { pauseAfterFailure } from '../service/backoff.ts'
import { NetworkError, NotSentError, ServiceError } from '../service/errors.ts'
import { endingInTime, endingOf, type WatchEnding } from './ending.ts'
import { grace, missed, nothingKnown, rejectionGrace, seen, type PollState } from './poll-state.ts'

/** Is informed of checks, for the log. */
export interface PollListener {
  /** `state` contains the results of all checks so far. */
  onCheck(checks: number, state: PollState): void
  onPause(pause: number): void
  /** Called once, when the service has not answered properly for a minute. */
  onTrouble(failure: unknown): void
  /** Called once after each `onTrouble`, when the service answers again. */
  onRecovery(): void
}

export interface PollPlan {
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  clock: Clock
  /** Ends with the timeout, or with the cancellation that is its parent. */
  deadline: Deadline
  cancelled: AbortSignal
  pollInterval: number
  /**
   * The current minimum pause between two checks if runs share a budget of checks. Milliseconds.
   */
  minPause?: () => number
  /** True for `timeout: 0s`: look exactly once, whatever the answer is. */
  once: boolean
  /** True to end with the first proper answer, whatever it says. */
  untilAnswered?: boolean
  random: () => number
  listener: PollListener
}

/** The last check is made when the time is over. It may take this long. Milliseconds. */
export const lastLook = 2_000

export async function poll(plan: PollPlan): Promise<WatchEnding> {
  const { clock, deadline, cancelled, listener } = plan
  const startedAt = clock.now()
  let state = nothingKnown
  for (let checks = 0; !cancelled.aborted;) {
    const isLast = plan.once || deadline.signal.aborted
    const next = await checkOnce(plan, state)
    if (!next) break
    if (next !== state) {
      state = next
      listener.onCheck(++checks, state)
      const ending = endingOf(state, clock.now())
      if (ending) return ending
    }
    if (isLast || (plan.untilAnswered && !state.failure)) break
    await pause(state, startedAt, plan)
    // No last check is made while a `Retry-After` runs.
    if (deadline.remaining() === 0 && state.heldUntil > clock.now()) break
  }
  return endingInTime(state, cancelled)
}

/**
 * Returns undefined if the step was cancelled during the check. A cancelled check says nothing
 * about the service. Returns the same state if the check was not sent before the time was over.
 */
async function checkOnce(plan: PollPlan, before: PollState): Promise<PollState | undefined> {
  const { check, clock, deadline, cancelled, listener } = plan
  using late = deadline.signal.aborted ? new Deadline(clock, lastLook, cancelled) : undefined
  const { signal } = late ?? deadline
  try {
    const status = await check(signal)
    if (before.troubled) listener.onRecovery()
    return seen(status, before, clock.now())
  } catch (error) {
    if (cancelled.aborted) return undefined
    if (error instanceof NotSentError) return before
    const failure = signal.aborted ? cutByTime() : error
    if (!(failure instanceof ServiceError)) throw failure
    const after = missed(failure, before, clock.now())
    if (after.troubled && !before.troubled) listener.onTrouble(failure)
    return after
  }
}

function cutByTime(): NetworkError {
  return new NetworkError('no answer arrived in time', { mayHaveArrived: true })
}

/** Waits until the next check. The deadline or a cancellation ends the pause early. */
async function pause(state: PollState, startedAt: number, plan: PollPlan): Promise<void> {
  const { clock, deadline, listener } = plan
  if (deadline.signal.aborted) return
  const span = pauseBeforeCheck(state, startedAt, plan)
  listener.onPause(span)
  await clock.sleep(span, deadline.signal).catch(() => undefined)
}

function pauseBeforeCheck(state: PollState, startedAt: number, plan: PollPlan): number {
  const { failure, failures, missingSince, flaggedSince, rejected } = state
  const now = plan.clock.now()
  const least = Math.max(plan.pollInterval, plan.minPause?.() ?? 0)
  const usual = pauseBetweenChecks(now - startedAt, least)
  const span = failure ? pauseAfterFailure(usual, failures, plan.random) : usual
  // The pause ends no later than a running grace, because the answer then decides.
  const ends = [
    (missingSince ?? Infinity) + grace,
    (flaggedSince ?? Infinity) + grace,
    (rejected?.since ?? Infinity) + rejectionGrace,
  ]
  const untilDecided = ends.filter((end) => end > now).map((end) => end - now)
  return Math.max(Math.min(span, ...untilDecided), failure?.retryAfter ?? 0)
}

// Each check is a paid call. For a run of an hour, seeing the end half a minute late does no harm.
export const shareOfAge = 0.02
export const maxPause = 30_000

/** The pause grows with the run's age: 2 % of it, at most 30 s, never below `pollInterval`. */
export function pauseBetweenChecks(age: number, pollInterval: number): number {
  return Math.max(pollInterval, Math.min(maxPause, age * shareOfAge))
}
