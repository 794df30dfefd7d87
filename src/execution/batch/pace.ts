/**
 * Decides when a batch may send its next start or check, from what the service has answered to all
 * of its runs. All functions are pure. All times are milliseconds of the same clock.
 */
import { classify } from '../../service/classify.ts'
import { asksToWait, HttpError, refusesCredentials } from '../../service/service-errors.ts'

export interface Pace {
  /** The number of starts that were sent and have no answer yet. */
  starting: number
  /** The maximum number of starts in flight: 1 after a failure, then 1 more after each accepted start. */
  maxStarting: number
  /** How often in a row no start was accepted. Starts that were sent side by side count once. */
  failures: number
  /** How often in a row a start got no clear answer, counted like `failures`. */
  unclear: number
  /** When the newest start that was not accepted failed. */
  failedAt: number
  /** No start is sent before this time. */
  startsFrom: number
  /** Before this time, at most `firstStarts` are in flight. Infinity before the first start. */
  othersFrom: number
  /** The run whose start alone is sent, because the service refused the credentials. */
  refused: object | undefined
  /** When the newest check was sent. */
  checkedAt: number
  /** When the newest `Retry-After` to a check arrived. */
  heldAt: number
  /** The end of the pause of checks. */
  checksFrom: number
  /** The number of last checks in a row that the service answered with 429 or 503. */
  overloads: number
}

export const unhindered: Pace = {
  starting: 0,
  maxStarting: Infinity,
  failures: 0,
  unclear: 0,
  failedAt: -Infinity,
  startsFrom: -Infinity,
  othersFrom: Infinity,
  refused: undefined,
  checkedAt: -Infinity,
  heldAt: -Infinity,
  checksFrom: -Infinity,
  overloads: 0,
}

/** The pauses after a start that was not accepted. They double from the first to the second value. */
export const firstStartPause = 1_000
export const maxStartPause = 30_000
/**
 * How many starts a batch sends side by side before one is accepted, so that an outage loses few
 * seeds. After `firstStartPause` the others are sent too, because a cold service may need long for its
 * first answer. One start would be too few: a service under load may refuse the credentials of one
 * start, and the other start proves them.
 */
const firstStarts = 2
/** After this number of unclear starts in a row, a batch starts no more runs. */
export const maxUnclear = 3
/** During a pause of checks, one check is sent after each such span, in milliseconds. */
export const probeInterval = 60_000
/** After this number of overloaded last checks in a row, no more are sent. */
const maxOverloads = 2

/** A request that has ended. `failure` is undefined if the service answered it properly. */
export interface EndedRequest {
  failure: unknown
  sentAt: number
  at: number
}

/** Returns the pause that the service asks for, in milliseconds. */
function askedPause(failure: unknown): number {
  return asksToWait(failure) ? (failure.retryAfter ?? 0) : 0
}

/** Returns how long the start of `run` must wait. Infinity if another request must end first. */
export function startDelay(pace: Pace, run: object, now: number): number {
  const isHeld = pace.refused !== undefined && pace.refused !== run
  if (isHeld || pace.starting >= pace.maxStarting) return Infinity
  const othersFrom = pace.starting < firstStarts ? -Infinity : pace.othersFrom
  return Math.max(0, pace.startsFrom - now, othersFrom - now)
}

export function afterStartSent(pace: Pace, at: number): Pace {
  const othersFrom = Math.min(pace.othersFrom, at + firstStartPause)
  return { ...pace, starting: pace.starting + 1, othersFrom }
}

export function afterAccepted(pace: Pace): Pace {
  return {
    ...pace,
    starting: pace.starting - 1,
    maxStarting: pace.maxStarting + 1,
    failures: 0,
    unclear: 0,
    othersFrom: -Infinity,
    refused: undefined,
  }
}

/** Returns the pace after a start of `run` that the service did not accept, or not clearly. */
export function afterRejected(
  pace: Pace,
  run: object,
  { failure, sentAt, at }: EndedRequest,
): Pace {
  // A start that was sent before the previous one failed says nothing new.
  const isNew = sentAt > pace.failedAt
  const failures = Math.max(1, pace.failures + Number(isNew))
  const pause = Math.min(firstStartPause * 2 ** (failures - 1), maxStartPause)
  const isUnclear = classify(failure) === 'unclear'
  return {
    ...pace,
    starting: pace.starting - 1,
    maxStarting: 1,
    failures,
    unclear: isUnclear ? Math.max(1, pace.unclear + Number(isNew)) : 0,
    failedAt: at,
    startsFrom: Math.max(pace.startsFrom, at + Math.max(pause, askedPause(failure))),
    refused: refusesCredentials(failure) ? (pace.refused ?? run) : undefined,
  }
}

/** Lets other runs start, if they waited for `run`, which sends no more starts. */
export function afterRunEnded(pace: Pace, run: object): Pace {
  return pace.refused === run ? { ...pace, refused: undefined } : pace
}

/** Returns how long the next check must wait because of a `Retry-After`. */
export function checkDelay({ checksFrom, checkedAt }: Pace, now: number): number {
  return Math.max(0, Math.min(checksFrom, checkedAt + probeInterval) - now)
}

export function afterCheckSent(pace: Pace, at: number): Pace {
  return { ...pace, checkedAt: at }
}

/** `isLast`: the check was sent after the deadline. */
export function afterCheck(
  pace: Pace,
  { failure, sentAt, at }: EndedRequest,
  isLast: boolean,
): Pace {
  const isOverload = failure instanceof HttpError && [429, 503].includes(failure.status)
  const overloads = isLast && isOverload ? pace.overloads + 1 : 0
  if (asksToWait(failure)) {
    const checksFrom = Math.max(pace.checksFrom, at + askedPause(failure))
    return { ...pace, overloads, heldAt: at, checksFrom }
  }
  // The service answers other runs, so only the run that was asked to wait still waits.
  const isOver = failure === undefined && sentAt >= pace.heldAt
  return { ...pace, overloads, checksFrom: isOver ? -Infinity : pace.checksFrom }
}

/** Returns true if the service is too busy for more last checks. */
export function endsLastChecks({ overloads }: Pace): boolean {
  return overloads >= maxOverloads
}
