/**
 * Follows one execution until it ends, time runs out, or it can no longer be watched.
 * Pure of GitHub and of the wire: it knows time, checks, and what a check can tell.
 */
import type { Clock, Deadline } from '../clock.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { Refusal, ServiceFailure } from '../service/failures.ts'
import { concludeFrom, type Outcome } from './conclusion.ts'
import { pauseAfterFailure, pauseBetweenChecks } from './pace.ts'

/** The ways a watch ends. "Not finished yet" is not one of them. */
export type Ending =
  | { kind: 'finished'; outcome: Outcome; status: ExecutionStatus }
  | { kind: 'timed-out'; status: ExecutionStatus | undefined; failure: unknown }
  | { kind: 'cancelled'; status: ExecutionStatus | undefined }
  /** 404 for longer than a service needs to know of a run it has just accepted. */
  | { kind: 'not-found'; status: ExecutionStatus | undefined; failure: Refusal }
  /** 401 or 403: the credentials do not, or no longer, allow to watch. */
  | { kind: 'refused'; status: ExecutionStatus | undefined; failure: Refusal }

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

/** A 404 may be a run that the status route does not know yet; a failed run may still finish. */
export const grace = 30_000
/** A service in trouble for shorter is not worth a warning. */
export const troubleAfter = 60_000

/** What the checks have told so far. The moments are those of {@link Clock.now}. */
interface Sighting {
  status: ExecutionStatus | undefined
  failure: unknown
  failures: number
  failingSince: number | undefined
  missingSince: number | undefined
  flaggedSince: number | undefined
  troubled: boolean
}

export async function follow(watch: Watch): Promise<Ending> {
  const startedAt = watch.clock.now()
  let sighting = nothingSeen
  for (let checks = 1; ; checks++) {
    const told = await look(watch, sighting)
    watch.observer.onCheck(checks)
    if (!told) return endingInTime(sighting, watch)
    sighting = told
    const ending = endingOf(sighting, watch)
    if (ending) return ending
    if (watch.once) return endingInTime(sighting, watch)
    const age = watch.clock.now() - startedAt
    const pause = pauseAfter(sighting, age, watch)
    watch.observer.onPause(pause)
    if (!(await slept(pause, watch))) return endingInTime(sighting, watch)
  }
}

const nothingSeen: Sighting = {
  status: undefined,
  failure: undefined,
  failures: 0,
  failingSince: undefined,
  missingSince: undefined,
  flaggedSince: undefined,
  troubled: false,
}

/** Undefined where the deadline or a cancellation cut the check: it tells nothing of the service. */
async function look(watch: Watch, before: Sighting): Promise<Sighting | undefined> {
  try {
    const status = await watch.check(watch.deadline.signal)
    return seen(status, before, watch)
  } catch (failure) {
    if (watch.deadline.signal.aborted) return undefined
    if (!(failure instanceof ServiceFailure)) throw failure
    return missed(failure, before, watch)
  }
}

function seen(status: ExecutionStatus, before: Sighting, { clock, observer }: Watch): Sighting {
  if (before.troubled) observer.onRecovery()
  const flagged = !status.finished && concludeFrom(status) !== 'success'
  const flaggedSince = flagged ? (before.flaggedSince ?? clock.now()) : undefined
  return { ...nothingSeen, status, flaggedSince }
}

function missed(failure: ServiceFailure, before: Sighting, { clock, observer }: Watch): Sighting {
  const now = clock.now()
  const missing = failure instanceof Refusal && failure.status === 404
  const failingSince = before.failingSince ?? now
  const troubled = now - failingSince >= troubleAfter
  if (troubled && !before.troubled) observer.onTrouble(failure)
  return {
    ...before,
    failure,
    failures: before.failures + 1,
    failingSince,
    missingSince: missing ? (before.missingSince ?? now) : undefined,
    troubled,
  }
}

/** The ending that the sighting proves, if it does. */
function endingOf(sighting: Sighting, { clock }: Watch): Ending | undefined {
  const { status, failure, missingSince, flaggedSince } = sighting
  if (failure instanceof Refusal) {
    if ([401, 403].includes(failure.status)) return { kind: 'refused', status, failure }
    if (lasted(missingSince, clock)) return { kind: 'not-found', status, failure }
  }
  if (status?.finished || (status && lasted(flaggedSince, clock))) {
    return { kind: 'finished', outcome: concludeFrom(status), status }
  }
  return undefined
}

function lasted(since: number | undefined, clock: Clock): boolean {
  return since !== undefined && clock.now() - since >= grace
}

/** The ending when no time is left: what the last sighting tells then counts. */
function endingInTime(sighting: Sighting, { cancelled }: Watch): Ending {
  const { status, failure } = sighting
  if (cancelled.aborted) return { kind: 'cancelled', status }
  // "When error or container_error is true the run failed", finished or not.
  if (status && concludeFrom(status) !== 'success') {
    return { kind: 'finished', outcome: concludeFrom(status), status }
  }
  if (!status && failure instanceof Refusal && failure.status === 404) {
    return { kind: 'not-found', status, failure }
  }
  return { kind: 'timed-out', status, failure }
}

function pauseAfter(sighting: Sighting, age: number, watch: Watch): number {
  const { failure, failures, missingSince, flaggedSince } = sighting
  const usual = pauseBetweenChecks(age, watch.pollInterval)
  if (!(failure instanceof ServiceFailure)) return untilGraceEnds(usual, flaggedSince, watch)
  const pause = pauseAfterFailure(usual, failures, failure.retryAfter, watch.random)
  if (failure.retryAfter !== undefined) return pause
  return untilGraceEnds(untilGraceEnds(pause, missingSince, watch), flaggedSince, watch)
}

/** Not past the end of a grace that is running: the answer then decides. */
function untilGraceEnds(pause: number, since: number | undefined, { clock }: Watch): number {
  if (since === undefined) return pause
  return Math.min(pause, Math.max(0, since + grace - clock.now()))
}

async function slept(pause: number, { clock, deadline }: Watch): Promise<boolean> {
  try {
    await clock.sleep(pause, deadline.signal)
    return !deadline.signal.aborted
  } catch {
    return false
  }
}
