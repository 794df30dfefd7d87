/**
 * Checks the status of an execution until the execution ends, the time is over, or the service
 * refuses all checks. This file depends neither on GitHub nor on the network.
 */
import { Deadline, type Clock } from '../clock.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { pauseAfterFailure } from '../service/backoff.ts'
import { NetworkError, NotSentError, ServiceError } from '../service/errors.ts'
import { endingInTime, endingOf, type WatchEnding } from './ending.ts'
import {
  checksUntilAnswer,
  grace,
  missed,
  nothingKnown,
  rejectionGrace,
  seen,
  type PollState,
} from './poll-state.ts'

export interface PollListener {
  /** Called after each check. `state` contains the results of all checks so far. */
  onCheck(checks: number, state: PollState): void
  onPause(pause: number): void
  /** Called once per outage, when all checks have failed for a minute. */
  onTrouble(failure: unknown): void
  /** Called once after each `onTrouble`, when a check has succeeded. */
  onRecovery(): void
}

export interface PollPlan {
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  clock: Clock
  /** The time limit of the checks. A cancellation of the step ends the time early. */
  deadline: Deadline
  cancelled: AbortSignal
  pollInterval: number
  /** Returns the minimum pause between two checks, in milliseconds. Set only in a batch. */
  minPause?: () => number
  /** True to make exactly one check, whatever the answer is (`timeout: 0s`). */
  once: boolean
  /** True to stop after the first valid answer, even if the execution is still running. */
  untilAnswered?: boolean
  /** The check results of a probe. Further checks add to these results. */
  before?: PollState | undefined
  random: () => number
  listener: PollListener
}

/** The time limit of the final check, in milliseconds. This check begins after the deadline. */
export const lastLook = 2_000

export async function poll(plan: PollPlan): Promise<WatchEnding> {
  const { clock, deadline, cancelled, listener } = plan
  const startedAt = clock.now()
  let state = plan.before ?? nothingKnown
  if (plan.before) await pause(state, startedAt, plan)
  for (let checks = checksUntilAnswer(state); !cancelled.aborted;) {
    // During a `Retry-After`, the final check is not made.
    if (deadline.remaining() === 0 && state.heldUntil > clock.now()) break
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
  }
  return endingInTime(state, cancelled)
}

/**
 * Makes one check and returns the new state. Returns undefined if the step was cancelled during the
 * check. Returns `before` if the check was not sent in time.
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

/** Waits until the next check is due. The deadline or a cancellation ends the pause early. */
async function pause(state: PollState, startedAt: number, plan: PollPlan): Promise<void> {
  const { clock, deadline, listener } = plan
  if (deadline.signal.aborted) return
  const span = pauseBeforeCheck(state, startedAt, plan)
  listener.onPause(span)
  await clock.sleep(span, deadline.signal).catch(() => undefined)
}

function pauseBeforeCheck(state: PollState, startedAt: number, plan: PollPlan): number {
  const { failure, failures, missingSince, flaggedSince, rejected, heldUntil } = state
  const now = plan.clock.now()
  const least = Math.max(plan.pollInterval, plan.minPause?.() ?? 0)
  const usual = pauseBetweenChecks(now - startedAt, least)
  const span = failure ? pauseAfterFailure(usual, failures, plan.random) : usual
  // The pause must end when a failure becomes final, so that the next check can end the wait.
  const ends = [
    (missingSince ?? Infinity) + grace,
    (flaggedSince ?? Infinity) + grace,
    (rejected?.since ?? Infinity) + rejectionGrace,
  ]
  const untilDecided = ends.filter((end) => end > now).map((end) => end - now)
  return Math.max(Math.min(span, ...untilDecided), heldUntil - now)
}

// Each check is a paid request, so the pauses grow with the age of the run. If a run lasts an hour,
// a delay of 30 s does no harm.
export const shareOfAge = 0.02
export const maxPause = 30_000

/** Returns the next pause: 2 % of the run's age, at most 30 s, but at least `pollInterval`. */
export function pauseBetweenChecks(age: number, pollInterval: number): number {
  return Math.max(pollInterval, Math.min(maxPause, age * shareOfAge))
}
