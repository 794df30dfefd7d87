/** Repeats the download of a file while another try may help. */
import type { Clock, Deadline } from '../clock.ts'
import { growingPause } from '../service/backoff.ts'
import { refusesCredentials, ServiceError } from '../service/service-errors.ts'
import { StoreStatusError } from './store.ts'

/** A failure that another try cannot change. `cause` is the error behind the failure. */
export class FinalError extends Error {
  override readonly name = 'FinalError'
}

export interface DownloadRetry {
  clock: Clock
  random: () => number
  /** No work begins after this limit. */
  limit: Deadline
}

/** The minimum number of failures of one file before it is given up. */
export const minFailures = 5
/** How long a failure that may pass is repeated at least, in milliseconds. */
export const minOutage = 60_000
// The pauses between two tries, in milliseconds. They grow from the first to the second value.
export const firstDownloadPause = 500
export const maxDownloadPause = 10_000

/**
 * Repeats `work` with growing pauses until it succeeds or is given up. A `Retry-After` is a lower
 * bound of a pause. Calls `onRetry` before each pause. Rejects with the last failure.
 */
export async function repeat<Value>(
  work: () => Promise<Value>,
  { clock, random, limit }: DownloadRetry,
  onRetry: (failure: unknown, pause: number) => void,
): Promise<Value> {
  let since: number | undefined
  let giveUpAt = -Infinity
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (failure) {
      if (limit.signal.aborted || isFinal(failure)) throw failure
      const now = clock.now()
      since ??= now
      if (mayPass(failure)) giveUpAt = since + minOutage
      if (failures >= minFailures && now >= giveUpAt) throw failure
      const retryAfter = failure instanceof ServiceError ? failure.retryAfter : undefined
      const grown = growingPause(firstDownloadPause, failures, maxDownloadPause, random)
      const pause = Math.max(grown, retryAfter ?? 0)
      if (pause >= limit.remaining()) throw failure
      onRetry(failure, pause)
      await clock.sleep(pause, limit.signal)
    }
  }
}

/** Returns true for a failure that another try cannot change. */
function isFinal(failure: unknown): boolean {
  // A service under load may refuse credentials once that it has accepted before.
  const areWrong = refusesCredentials(failure) && !failure.isProven
  return failure instanceof FinalError || areWrong
}

/** Returns true for a failure of the store, the service or the connection that may pass. */
function mayPass(failure: unknown): boolean {
  if (failure instanceof StoreStatusError) return failure.status === 429 || failure.status >= 500
  return failure instanceof ServiceError
}
