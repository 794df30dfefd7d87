/**
 * Checks the status of an execution until its first answer, or until the execution ends, the time is
 * over, or the service refuses all checks. This file depends neither on GitHub nor on the network.
 */
import { Deadline, type Clock } from '../clock.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { growingPause } from '../service/backoff.ts'
import { NetworkError, NotSentError, ServiceError } from '../service/service-errors.ts'
import type { Emit } from './events.ts'
import { afterAnswer, afterFailure, graceEnds, isFlagged, proofIn, type Seen } from './seen.ts'

export interface WatchPlan {
  /**
   * `end` stops after the end of the execution. `answer` stops after the first valid answer, even if
   * the execution is still running. `unflagged-answer` does too, unless the answer has a failure flag
   * without `finished`.
   */
  until: 'answer' | 'unflagged-answer' | 'end'
  /** The pause between the first checks, in milliseconds. Later pauses may be longer. */
  pollInterval: number
  /** The time limit of the checks. Its signal also aborts when the step is cancelled. */
  deadline: Deadline
  /** Replaces {@link usualLastCheckTime}. */
  lastCheckTime?: number | undefined
}

/** The time, the random numbers and the cancellation of a step. */
export interface StepEnv {
  clock: Clock
  /** Returns a number from 0 to below 1, like `Math.random`. */
  random: () => number
  /** Aborts when the step is cancelled. */
  cancelled: AbortSignal
}

/** Why a check is made: to see the execution's end, or to get new download links after its end. */
export type CheckPurpose = 'watch' | 'links'

export interface WatchEnv extends StepEnv {
  /**
   * Requests the status of an execution. Rejects with a {@link ServiceError}. In a batch, waits for
   * its turn, and rejects with a {@link NotSentError} if the turn does not come in time.
   */
  sendCheck: (
    executionId: string,
    signal: AbortSignal,
    purpose: CheckPurpose,
  ) => Promise<ExecutionStatus>
  /** Returns the minimum pause between two checks, in milliseconds. Set only in a batch. */
  minPause?: () => number
}

/** The time limit of the check after the deadline, in milliseconds. */
export const usualLastCheckTime = 2_000

/**
 * Returns what all checks have shown, including the checks in `before`. A watch that has stopped is
 * continued with the value that it returned. If that value proves an end, no check is made.
 */
export async function watch(
  executionId: string,
  before: Seen,
  plan: WatchPlan,
  env: WatchEnv,
  emit: Emit,
): Promise<Seen> {
  const { clock, cancelled } = env
  const { deadline } = plan
  const startedAt = clock.now()
  let seen = before
  const wasChecked = before.checks > 0
  // After the deadline, a watch is not continued.
  if (wasChecked && (proofIn(before) || deadline.remaining() === 0)) return before
  if (plan.until === 'end') emit({ kind: 'watching' })
  if (wasChecked) await sleep(pauseBeforeCheck(before, startedAt, plan, env), plan, env)
  while (!cancelled.aborted) {
    const isLast = deadline.signal.aborted
    const checked = await checkOnce(executionId, seen, plan, env)
    seen = checked ?? seen
    const isOver = isLast || (checked && isEnough(checked, plan.until))
    const pause = isOver ? undefined : pauseBeforeCheck(seen, startedAt, plan, env)
    if (checked) emit({ kind: 'checked', seen, pause })
    if (pause === undefined) break
    await sleep(pause, plan, env)
  }
  return seen
}

/** Waits until the next check is due. The deadline or a cancellation ends the pause early. */
async function sleep(span: number, { deadline }: WatchPlan, { clock }: WatchEnv): Promise<void> {
  await clock.sleep(span, deadline.signal).catch(() => undefined)
}

/** Returns true if the checks have shown what the watch waits for. */
function isEnough(seen: Seen, until: WatchPlan['until']): boolean {
  if (proofIn(seen)) return true
  if (until === 'end' || seen.failure) return false
  return until === 'answer' || !isFlagged(seen.status)
}

/**
 * Makes one check. Returns undefined if the check was not sent in time, or if the step was cancelled
 * during the check. Such a check proves nothing.
 */
async function checkOnce(
  executionId: string,
  before: Seen,
  { deadline, lastCheckTime = usualLastCheckTime }: WatchPlan,
  { sendCheck, clock, cancelled }: WatchEnv,
): Promise<Seen | undefined> {
  using late = deadline.signal.aborted ? new Deadline(clock, lastCheckTime, cancelled) : undefined
  const { signal } = late ?? deadline
  try {
    const status = await sendCheck(executionId, signal, 'watch')
    return afterAnswer(before, status, clock.now())
  } catch (error) {
    if (cancelled.aborted || error instanceof NotSentError) return undefined
    const failure = signal.aborted ? cutByTime() : error
    if (!(failure instanceof ServiceError)) throw failure
    return afterFailure(before, failure, clock.now())
  }
}

function cutByTime(): NetworkError {
  return new NetworkError('no answer arrived in time', { mayHaveArrived: true })
}

function pauseBeforeCheck(
  seen: Seen,
  startedAt: number,
  { deadline, pollInterval }: WatchPlan,
  { clock, random, minPause }: WatchEnv,
): number {
  if (deadline.signal.aborted) return 0
  const { failure, failures, heldUntil } = seen
  const now = clock.now()
  const usual = pauseBetweenChecks(now - startedAt, Math.max(pollInterval, minPause?.() ?? 0))
  const span = failure ? growingPause(usual, failures, maxPauseAfterFailure, random) : usual
  // The pause must end when a failure becomes final, so that the next check can end the wait.
  const untilDecided = graceEnds(seen).filter((end) => end > now)
  return Math.max(Math.min(span, ...untilDecided.map((end) => end - now)), heldUntil - now)
}

// Each check is a paid request, so the pauses grow with the age of the run. If a run lasts an hour,
// a delay of 30 s does no harm.
export const shareOfAge = 0.02
export const maxPollPause = 30_000
export const maxPauseAfterFailure = 60_000

/** Returns 2 % of the time since the watch began, at most 30 s, but at least `pollInterval`. */
export function pauseBetweenChecks(age: number, pollInterval: number): number {
  return Math.max(pollInterval, Math.min(maxPollPause, age * shareOfAge))
}
