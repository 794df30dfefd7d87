/**
 * The one retry policy of calls that must not happen twice, starting an automation and creating a
 * project: they are sent again only when the service cannot have accepted them.
 * Source: docs/contributing/service.md, "Sending again".
 */
import { Deadline, DelayedSignal, type Clock } from '../clock.ts'
import { pauseBeforeRetry } from './backoff.ts'
import { HttpError, NetworkError, NotSentError, RedirectError, ServiceError } from './errors.ts'

/** Bounds of the tries. Spans are milliseconds. */
export interface RetryLimits {
  tries: number
  /** No try begins later than this after the first one. */
  span: number
  /** The pause before the second try. It doubles from try to try, with jitter. */
  firstPause: number
}

// Five tries within a minute last longer than the restart of a load balancer, and not so long that
// the step looks hung.
export const retryLimits: RetryLimits = { tries: 5, span: 60_000, firstPause: 1_000 }

/** Room for all tries, and for the last one to be answered. Milliseconds. */
export const sendTimeout = 120_000

/**
 * How much longer a sent try may wait for its response when the time is over or the step is
 * cancelled. Without the response, nobody knows the outcome or the id. Milliseconds.
 */
export const lastAnswer = 2_000

/** The outcome of a call that must happen at most once. */
export type SendOutcome<Value> =
  | { kind: 'accepted'; value: Value }
  /** The service did not accept it, or was not reached: nothing happened there. */
  | { kind: 'refused'; failure: unknown }
  /** The service may or may not have accepted it. */
  | { kind: 'unknown'; failure: unknown }

/**
 * `retry`: the call cannot have been accepted, but may be later. Others as in {@link SendOutcome}.
 */
export type Classification = 'retry' | 'refused' | 'unknown'

/**
 * The retry decision: what a failed try proves. With 429, and with 503 and `Retry-After`, a service
 * says that it did not begin. Other 4xx are final. So are redirects that ask for the same request
 * elsewhere, but 302 and 303 may follow an accepted request. Everything else is unknown.
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

/** What `sendAtMostOnce` needs besides the call itself. */
export interface RetryContext {
  clock: Clock
  /** Ends pauses and new tries, and 2 s later the one on its way: the step's deadline, or a cancellation. */
  signal: AbortSignal
  /** Returns a number from 0 to below 1. */
  random: () => number
  limits?: RetryLimits
  /** Called before each pause with the failure behind it and the pause in milliseconds. */
  onPause?: (failure: ServiceError, pause: number) => void
}

/**
 * Sends until the service has accepted or refused the call, or may have accepted it. Never rejects.
 * If the signal aborts after a try was connected, the outcome is unknown. If it aborts before that
 * or between tries, the outcome is refused.
 *
 * @param send one try; rejects with the errors of `errors.ts`
 */
export async function sendAtMostOnce<Value>(
  send: (signal: AbortSignal) => Promise<Value>,
  { clock, signal, random, limits = retryLimits, onPause }: RetryContext,
): Promise<SendOutcome<Value>> {
  using answerable = new DelayedSignal(signal, lastAnswer, clock)
  using budget = new Deadline(clock, limits.span, signal)
  let before: SendOutcome<Value> | undefined
  for (let attempt = 1; ; attempt++) {
    if (budget.signal.aborted) return before ?? { kind: 'refused', failure: budget.signal.reason }
    const outcome = await tryOnce(send, answerable.signal)
    if (outcome.kind !== 'refused') return outcome
    const { failure } = outcome
    if (!(failure instanceof ServiceError) || classify(failure) !== 'retry') return outcome
    // This try was cut short: the failure of the one before says more about the service.
    if (signal.aborted) return before ?? outcome
    const pause = pauseBeforeRetry(limits.firstPause, attempt, failure.retryAfter, random)
    if (attempt >= limits.tries || pause >= budget.remaining()) return outcome
    onPause?.(failure, pause)
    // If the pause is cut short, the next round finds the reason in `budget`.
    await clock.sleep(pause, budget.signal).catch(() => undefined)
    before = outcome
  }
}

async function tryOnce<Value>(
  send: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
): Promise<SendOutcome<Value>> {
  try {
    return { kind: 'accepted', value: await send(signal) }
  } catch (failure) {
    return { kind: classify(failure) === 'unknown' ? 'unknown' : 'refused', failure }
  }
}
