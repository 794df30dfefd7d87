/**
 * Follows one execution until it ends, time runs out, or it can no longer be watched.
 * Pure of GitHub and of the wire: it knows time, checks, and what a check can tell.
 */
import type { Clock, Deadline } from '../clock.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { ServiceFailure } from '../service/failures.ts'
import { endingInTime, endingOf, type Ending } from './ending.ts'
import { pauseAfterFailure, pauseBetweenChecks } from './pace.ts'
import { grace, missed, nothingSeen, seen, type Sighting } from './sighting.ts'

/** What happens on the way, for the log. */
export interface Observer {
  onCheck(checks: number): void
  onPause(pause: number): void
  /** Once, when the service has not answered properly for a minute. */
  onTrouble(failure: unknown): void
  /** Once after each `onTrouble`, when it does again. */
  onRecovery(): void
}

export interface Watch {
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  clock: Clock
  /** Ends with the run's time, or with the cancellation that is its parent. */
  deadline: Deadline
  cancelled: AbortSignal
  pollInterval: number
  /** Looks exactly once, however little that tells (`timeout: 0s`). */
  once: boolean
  random: () => number
  observer: Observer
}

export async function follow(watch: Watch): Promise<Ending> {
  const { clock, cancelled, observer } = watch
  const startedAt = clock.now()
  let sighting = nothingSeen
  for (let checks = 1; ; checks++) {
    const told = await look(watch, sighting)
    observer.onCheck(checks)
    if (!told) return endingInTime(sighting, cancelled)
    sighting = told
    const ending = endingOf(sighting, clock.now())
    if (ending) return ending
    if (watch.once) return endingInTime(sighting, cancelled)
    const pause = pauseAfter(sighting, startedAt, watch)
    observer.onPause(pause)
    if (!(await slept(pause, watch))) return endingInTime(sighting, cancelled)
  }
}

/** Undefined where the deadline or a cancellation cut the check: it tells nothing of the service. */
async function look(watch: Watch, before: Sighting): Promise<Sighting | undefined> {
  const { check, clock, deadline, observer } = watch
  try {
    const status = await check(deadline.signal)
    if (before.troubled) observer.onRecovery()
    return seen(status, before, clock.now())
  } catch (failure) {
    if (deadline.signal.aborted) return undefined
    if (!(failure instanceof ServiceFailure)) throw failure
    const after = missed(failure, before, clock.now())
    if (after.troubled && !before.troubled) observer.onTrouble(failure)
    return after
  }
}

function pauseAfter(sighting: Sighting, startedAt: number, watch: Watch): number {
  const { failure, failures, missingSince, flaggedSince } = sighting
  const now = watch.clock.now()
  const usual = pauseBetweenChecks(now - startedAt, watch.pollInterval)
  if (!(failure instanceof ServiceFailure)) return untilGraceEnds(usual, flaggedSince, now)
  const pause = pauseAfterFailure(usual, failures, failure.retryAfter, watch.random)
  if (failure.retryAfter !== undefined) return pause
  return untilGraceEnds(untilGraceEnds(pause, missingSince, now), flaggedSince, now)
}

/** Not past the end of a grace that is running: the answer then decides. */
function untilGraceEnds(pause: number, since: number | undefined, now: number): number {
  return since === undefined ? pause : Math.min(pause, Math.max(0, since + grace - now))
}

async function slept(pause: number, { clock, deadline }: Watch): Promise<boolean> {
  try {
    await clock.sleep(pause, deadline.signal)
    return !deadline.signal.aborted
  } catch {
    return false
  }
}
