/**
 * The retry policy for requests that must not happen twice: starting an automation and creating a
 * project. Such a request is sent again only if the service cannot have accepted it.
 * Source: docs/contributing/service.md, "Sending again".
 */
import { DelayedSignal, type Clock } from '../clock.ts'
import { growingPause } from './backoff.ts'
import { HttpError, NetworkError, NotSentError, RedirectError, ServiceError } from './errors.ts'

/** The pauses between two tries, in milliseconds. They grow from the first to the second value. */
export const firstRetryPause = 1_000
export const maxRetryPause = 15_000

/**
 * The maximum time from the beginning of the first try to the beginning of the last try, in
 * milliseconds. If 50 jobs of a matrix start at once, and the service accepts one start a second,
 * each job has started within this time.
 */
export const maxRetryTime = 120_000

/**
 * How long a sent request may wait for its response after the timeout or a cancellation of the
 * step, in milliseconds. Without the response, the outcome and the id are unknown.
 */
export const lastAnswer = 2_000

export type SendOutcome<Value> =
  | { kind: 'accepted'; value: Value }
  /** The service refused the request or was not reached. Nothing was started or created. */
  | { kind: 'refused'; failure: unknown }
  /** The service may or may not have accepted the request. */
  | { kind: 'unknown'; failure: unknown }

/**
 * `retry` means that the service did not accept the request, but may accept it later. The other
 * values have the same meaning as in {@link SendOutcome}.
 */
type Classification = 'retry' | 'refused' | 'unknown'

/**
 * Returns what a failed try proves. A 429, or a 503 with `Retry-After`, means that the service did
 * not begin the request. Other 4xx statuses, except 408, are final refusals. The redirects 301, 307
 * and 308 are also final. The redirects 302 and 303 may follow an accepted request. Everything else
 * is unknown.
 */
export function classify(failure: unknown): Classification {
  if (failure instanceof NotSentError) return 'refused'
  if (failure instanceof NetworkError) {
    if (failure.mayHaveArrived) return 'unknown'
    return failure.isFinal ? 'refused' : 'retry'
  }
  if (failure instanceof RedirectError) {
    return [301, 307, 308].includes(failure.status) ? 'refused' : 'unknown'
  }
  if (!(failure instanceof HttpError)) return 'unknown'
  if (failure.status === 429) return 'retry'
  if (failure.status === 503 && failure.retryAfter !== undefined) return 'retry'
  return failure.status < 500 && failure.status !== 408 ? 'refused' : 'unknown'
}

/**
 * Returns true if the cancellation of the step ended the request or prevented another try. Returns
 * false if the request ended for another reason, such as an answer that arrived all the same.
 */
export function isEndedByCancellation(failure: unknown, cancelled: AbortSignal): boolean {
  if (!cancelled.aborted) return false
  const reason = failure instanceof NetworkError ? failure.cause : failure
  return reason === cancelled.reason || classify(failure) === 'retry'
}

export interface RetryContext {
  clock: Clock
  /** Aborts at the step's timeout or cancellation. A request that is sent gets 2 s more. */
  signal: AbortSignal
  /** Returns a number from 0 to below 1. */
  random: () => number
  /** Replaces {@link maxRetryTime}. */
  maxTime?: number | undefined
  /** Called before each pause with the error of the previous try and the pause in milliseconds. */
  onPause?: (failure: ServiceError, pause: number) => void
}

/**
 * Repeats a request until the service has accepted or refused it, or may have accepted it (the
 * outcome is unknown). Never rejects. If the signal aborts after a try has connected, the outcome
 * may be unknown. If the signal aborts before that, or between tries, the outcome is refused.
 *
 * @param send makes one try and rejects with the errors of `errors.ts`. Its first signal ends the
 * try, its second signal ends the try as long as no connection is made.
 */
export async function sendAtMostOnce<Value>(
  send: (signal: AbortSignal, whileConnecting: AbortSignal) => Promise<Value>,
  { clock, signal, random, maxTime = maxRetryTime, onPause }: RetryContext,
): Promise<SendOutcome<Value>> {
  using answerable = new DelayedSignal(signal, lastAnswer, clock)
  const isOver = () => signal.aborted
  const lastTryBefore = clock.now() + maxTime
  let before: SendOutcome<Value> | undefined
  for (let attempt = 1; ; attempt++) {
    if (isOver()) return before ?? { kind: 'refused', failure: signal.reason }
    const outcome = await tryOnce(() => send(answerable.signal, signal))
    if (outcome.kind !== 'refused') return outcome
    const { failure } = outcome
    if (!(failure instanceof ServiceError) || classify(failure) !== 'retry') return outcome
    // This try was aborted, so the error of the previous try says more about the service.
    if (isOver()) return before ?? outcome
    const grown = growingPause(firstRetryPause, attempt, maxRetryPause, random)
    const pause = Math.max(grown, failure.retryAfter ?? 0)
    if (clock.now() + pause >= lastTryBefore) return outcome
    onPause?.(failure, pause)
    // If the signal ends the pause early, the next round of the loop returns immediately.
    await clock.sleep(pause, signal).catch(() => undefined)
    before = outcome
  }
}

async function tryOnce<Value>(send: () => Promise<Value>): Promise<SendOutcome<Value>> {
  try {
    return { kind: 'accepted', value: await send() }
  } catch (failure) {
    return { kind: classify(failure) === 'unknown' ? 'unknown' : 'refused', failure }
  }
}
