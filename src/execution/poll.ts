/**
 * Checks the status of an execution until the execution ends, the time is over, or the service
 * refuses all checks. This file depends neither on GitHub nor on the network.
 */
import { Deadline, type Clock } from '../clock.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { growingPause } from '../service/backoff.ts'
import { NetworkError, NotSentError, ServiceError } from '../service/errors.ts'
import { endingInTime, endingOf, type WatchEnding } from './ending.ts'
import {
  checksUntilAnswer,
  grace,
  graceOf,
  missed,
  nothingKnown,
  seen,
  type PollState,
} from './poll-state.ts'

export interface PollListener {
  /**
   * Called after each check. `state` contains the results of all checks so far. `pause` is the time
   * until the next check, in milliseconds. Undefined if no check follows.
   */
  onCheck(checks: number, state: PollState, pause: number | undefined): void
}

export interface PollPlan {
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  clock: Clock
  /** The time limit of the checks. A cancellation of the step ends the time early. */
  deadline: Deadline
  cancelled: AbortSignal
  pollInterval: number
  /** Returns the minimum pause between two checks, in milliseconds. Set only in a batch. */
  minPause?: (() => number) | undefined
  /** The time limit of the check after the deadline, in milliseconds. */
  lastCheck?: number | undefined
  /** True to stop after the first valid answer, even if the execution is still running. */
  untilAnswered?: boolean
  /** The check results of a probe. Further checks add to these results. */
  before?: PollState | undefined
  random: () => number
  listener: PollListener
}

/** How long the check after the deadline may take, in milliseconds. */
export const maxLastCheck = 2_000

export async function poll(plan: PollPlan): Promise<WatchEnding> {
  const { clock, deadline, cancelled, listener } = plan
  const startedAt = clock.now()
  let state = plan.before ?? nothingKnown
  let checks = checksUntilAnswer(state)
  if (plan.before) await sleep(pauseBeforeCheck(state, startedAt, plan), plan)
  while (!cancelled.aborted) {
    // During a `Retry-After`, the check after the deadline is not made.
    if (deadline.remaining() === 0 && state.heldUntil > clock.now()) break
    const isLast = deadline.signal.aborted
    const next = await checkOnce(plan, state)
    if (!next) break
    // A check that was not sent proves nothing.
    const ending = next === state ? undefined : endingOf(next, clock.now())
    const isOver = ending !== undefined || isLast || (plan.untilAnswered && !next.failure)
    const pause = isOver ? undefined : pauseBeforeCheck(next, startedAt, plan)
    if (next !== state) listener.onCheck(++checks, next, pause)
    state = next
    if (ending) return ending
    if (pause === undefined) break
    await sleep(pause, plan)
  }
  return endingInTime(state, cancelled)
}

/** Waits until the next check is due. The deadline or a cancellation ends the pause early. */
async function sleep(span: number, { clock, deadline }: PollPlan): Promise<void> {
  await clock.sleep(span, deadline.signal).catch(() => undefined)
}

/**
 * Makes one check and returns the new state. Returns undefined if the step was cancelled during the
 * check. Returns `before` if the check was not sent in time.
 */
async function checkOnce(plan: PollPlan, before: PollState): Promise<PollState | undefined> {
  const { check, clock, deadline, cancelled, lastCheck = maxLastCheck } = plan
  using late = deadline.signal.aborted ? new Deadline(clock, lastCheck, cancelled) : undefined
  const { signal } = late ?? deadline
  try {
    return seen(await check(signal), before, clock.now())
  } catch (error) {
    if (cancelled.aborted) return undefined
    if (error instanceof NotSentError) return before
    const failure = signal.aborted ? cutByTime() : error
    if (!(failure instanceof ServiceError)) throw failure
    return missed(failure, before, clock.now())
  }
}

function cutByTime(): NetworkError {
  return new NetworkError('no answer arrived in time', { mayHaveArrived: true })
}

function pauseBeforeCheck(state: PollState, startedAt: number, plan: PollPlan): number {
  if (plan.deadline.signal.aborted) return 0
  const { failure, failures, refusedSince, flaggedSince, heldUntil } = state
  const now = plan.clock.now()
  const least = Math.max(plan.pollInterval, plan.minPause?.() ?? 0)
  const usual = pauseBetweenChecks(now - startedAt, least)
  const span = failure ? growingPause(usual, failures, maxPauseAfterFailure, plan.random) : usual
  // The pause must end when a failure becomes final, so that the next check can end the wait.
  const ends = [
    (refusedSince ?? Infinity) + (graceOf(failure) ?? Infinity),
    (flaggedSince ?? Infinity) + grace,
  ]
  const untilDecided = ends.filter((end) => end > now).map((end) => end - now)
  return Math.max(Math.min(span, ...untilDecided), heldUntil - now)
}

// Each check is a paid request, so the pauses grow with the age of the run. If a run lasts an hour,
// a delay of 30 s does no harm.
export const shareOfAge = 0.02
export const maxPause = 30_000
export const maxPauseAfterFailure = 60_000

/** Returns the next pause: 2 % of the run's age, at most 30 s, but at least `pollInterval`. */
export function pauseBetweenChecks(age: number, pollInterval: number): number {
  return Math.max(pollInterval, Math.min(maxPause, age * shareOfAge))
}
