/**
 * Asks for an execution's status until it ends, time runs out, or it can no longer be watched. Knows
 * time, checks, and what a check can show; neither GitHub nor the network.
 */
import { Deadline, type Clock } from '../clock.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { pauseAfterFailure } from '../service/backoff.ts'
import { NetworkError, NotSentError, ServiceError } from '../service/errors.ts'
import { endingInTime, endingOf, type WatchEnding } from './ending.ts'
import { grace, missed, nothingKnown, rejectionGrace, seen, type PollState } from './poll-state.ts'

/** What happens on the way, for the log. */
export interface PollListener {
  /** `state`: all that the checks have shown so far. */
  onCheck(checks: number, state: PollState): void
  onPause(pause: number): void
  /** Once, when the service has not answered properly for a minute. */
  onTrouble(failure: unknown): void
  /** Once after each `onTrouble`, when it does again. */
  onRecovery(): void
}

export interface PollPlan {
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  clock: Clock
  /** Ends with the run's time, or with the cancellation that is its parent. */
  deadline: Deadline
  cancelled: AbortSignal
  pollInterval: number
  /** Milliseconds that must lie between two checks for now, where runs share a budget of checks. */
  minPause?: () => number
  /** Looks exactly once, however little that shows (`timeout: 0s`). */
  once: boolean
  /** Ends with the first proper answer, whatever it says. */
  untilAnswered?: boolean
  random: () => number
  listener: PollListener
}

/** How long the last check may take, which is made when the time is over. Milliseconds. */
const lastLook = 2_000

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
    // No last check: the service asked not to be called yet.
    if (deadline.remaining() === 0 && state.heldUntil > clock.now()) break
  }
  return endingInTime(state, cancelled)
}

/**
 * Undefined where a cancellation cut the check: it says nothing about the service. The same state
 * where the check was not sent before its time was over.
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
  return new NetworkError('no answer came in time', { mayHaveArrived: true })
}

/** Until the next check; the deadline or a cancellation ends it early. */
async function pause(state: PollState, startedAt: number, plan: PollPlan): Promise<void> {
  const { clock, deadline, listener } = plan
  if (deadline.signal.aborted) return
  const span = pauseAfter(state, startedAt, plan)
  listener.onPause(span)
  await clock.sleep(span, deadline.signal).catch(() => undefined)
}

function pauseAfter(state: PollState, startedAt: number, plan: PollPlan): number {
  const { failure, failures, missingSince, flaggedSince, rejected } = state
  const now = plan.clock.now()
  const least = Math.max(plan.pollInterval, plan.minPause?.() ?? 0)
  const usual = pauseBetweenChecks(now - startedAt, least)
  const span = failure ? pauseAfterFailure(usual, failures, plan.random) : usual
  // Not past the end of a grace that is running: the answer then decides.
  const ends = [
    (missingSince ?? Infinity) + grace,
    (flaggedSince ?? Infinity) + grace,
    (rejected?.since ?? Infinity) + rejectionGrace,
  ]
  const untilDecided = ends.filter((end) => end > now).map((end) => end - now)
  return Math.max(Math.min(span, ...untilDecided), failure?.retryAfter ?? 0)
}

// Each check is a paid call; nobody minds learning of an hour's run half a minute late.
const shareOfAge = 0.02
const maxPause = 30_000

/** The pause grows with the run's age: 2 % of it, at most 30 s, never below `pollInterval`. */
export function pauseBetweenChecks(age: number, pollInterval: number): number {
  return Math.max(pollInterval, Math.min(maxPause, age * shareOfAge))
}
