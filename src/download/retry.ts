/** Repeats a download, or a status check that requests new links, while time may help. */
import type { Clock, Deadline } from '../clock.ts'
import { growingPause } from '../service/backoff.ts'
import { ServiceError } from '../service/errors.ts'

/** A failure that another try cannot change. `cause` is the error behind the failure. */
export class FinalError extends Error {
  override readonly name = 'FinalError'
}

export interface Patience {
  /** How many failures in a row are needed to give up. */
  failures: number
  /** Returns true for a failure that may pass. The work is then repeated for at least a minute. */
  mayPass: (failure: unknown) => boolean
  /** Returns true for a failure that another try cannot change. */
  isFinal: (failure: unknown) => boolean
}

export interface RetryContext {
  clock: Clock
  random: () => number
  /** No work begins after this limit. */
  limit: Deadline
}

/** How long a failure that may pass is repeated at least, in milliseconds. */
export const minOutage = 60_000
// The pauses between two tries, in milliseconds. They grow from the first to the second value.
export const firstPause = 500
export const maxPause = 10_000

/**
 * Repeats `work` with growing pauses until it succeeds or is given up. A `Retry-After` is a lower
 * bound of a pause. Calls `onRetry` before each pause. Rejects with the last failure.
 */
export async function repeat<Value>(
  work: () => Promise<Value>,
  patience: Patience,
  { clock, random, limit }: RetryContext,
  onRetry: (failure: unknown, pause: number) => void,
): Promise<Value> {
  let since: number | undefined
  let giveUpAt = -Infinity
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (failure) {
      if (limit.signal.aborted || patience.isFinal(failure)) throw failure
      const now = clock.now()
      since ??= now
      if (patience.mayPass(failure)) giveUpAt = since + minOutage
      if (failures >= patience.failures && now >= giveUpAt) throw failure
      const retryAfter = failure instanceof ServiceError ? failure.retryAfter : undefined
      const grown = growingPause(firstPause, failures, maxPause, random)
      const pause = Math.max(grown, retryAfter ?? 0)
      if (pause >= limit.remaining()) throw failure
      onRetry(failure, pause)
      await clock.sleep(pause, limit.signal)
    }
  }
}
