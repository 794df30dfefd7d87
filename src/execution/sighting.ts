/** What the checks of one watch have told so far. All moments are those of the watch's clock. */
import type { ExecutionStatus } from '../service/contract.ts'
import { Refusal, type ServiceFailure } from '../service/failures.ts'
import { concludeFrom } from './conclusion.ts'

export interface Sighting {
  /** The last proper answer. */
  status: ExecutionStatus | undefined
  /** Why the last check failed; undefined where it did not. */
  failure: unknown
  /** How many failed in a row. */
  failures: number
  failingSince: number | undefined
  /** Since when the service says that it knows no such execution. */
  missingSince: number | undefined
  /** Since when a flag says that the run failed, without its being finished. */
  flaggedSince: number | undefined
  /** Whether the service has failed for so long that it deserves a warning. */
  troubled: boolean
}

/** A 404 may be a run that the status route does not know yet; a failed run may still finish. */
export const grace = 30_000
/** A service in trouble for shorter is not worth a warning. */
const troubleAfter = 60_000

export const nothingSeen: Sighting = {
  status: undefined,
  failure: undefined,
  failures: 0,
  failingSince: undefined,
  missingSince: undefined,
  flaggedSince: undefined,
  troubled: false,
}

export function seen(status: ExecutionStatus, before: Sighting, now: number): Sighting {
  const flagged = !status.finished && concludeFrom(status) !== 'success'
  return {
    ...nothingSeen,
    status,
    flaggedSince: flagged ? (before.flaggedSince ?? now) : undefined,
  }
}

export function missed(failure: ServiceFailure, before: Sighting, now: number): Sighting {
  const missing = failure instanceof Refusal && failure.status === 404
  const failingSince = before.failingSince ?? now
  return {
    ...before,
    failure,
    failures: before.failures + 1,
    failingSince,
    missingSince: missing ? (before.missingSince ?? now) : undefined,
    troubled: now - failingSince >= troubleAfter,
  }
}
