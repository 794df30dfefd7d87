/**
 * When a call that must not happen twice may be sent again: only when the service cannot have
 * accepted it. The one retry policy of starting an automation and creating a project.
 */
import { Deadline, type Clock } from '../clock.ts'
import { NetworkError, RedirectError, HttpError, ServiceError } from './errors.ts'

export interface RetryLimits {
  tries: number
  /** No try begins later than this after the first one. */
  span: number
  /** The pause before the second try; it doubles from try to try, with jitter. */
  firstPause: number
}

// Five tries spread over a minute outlive a restart of a load balancer, and stay well inside
// the patience of a person who watches the step.
export const retryLimits: RetryLimits = { tries: 5, span: 60_000, firstPause: 1_000 }

/** Room for all tries, and for the last one to be answered. Milliseconds. */
export const longestSend = 120_000

/** What became of a call that must happen at most once. */
export type SendOutcome<Value> =
  | { kind: 'accepted'; value: Value }
  /** The service did not take it, or was not reached: nothing happened there. */
  | { kind: 'refused'; failure: unknown }
  /** It may or may not have taken it: nobody can know from here. */
  | { kind: 'unknown'; failure: unknown }

export type Verdict = 'retry' | 'refused' | 'unknown'

/**
 * What a failed try proves. 429, and 503 with `Retry-After`, are the two answers by which a
 * service says that it did not begin; other 4xx are final, and so are redirects that ask for the
 * same request elsewhere; 302 and 303 may also follow a request that was taken. All else is open.
 */
export function classify(failure: unknown): Verdict {
  if (failure instanceof NetworkError) return failure.mayHaveArrived ? 'unknown' : 'retry'
  if (failure instanceof RedirectError) {
    return [301, 307, 308].includes(failure.status) ? 'refused' : 'unknown'
  }
  if (!(failure instanceof HttpError)) return 'unknown'
  if (failure.status === 429) return 'retry'
  if (failure.status === 503 && failure.retryAfter !== undefined) return 'retry'
  return failure.status < 500 && failure.status !== 408 ? 'refused' : 'unknown'
}

export interface RetryContext {
  clock: Clock
  /** Ends pauses and tries alike: the step's deadline, or a cancellation. */
  signal: AbortSignal
  random: () => number
  limits?: RetryLimits
  onPause?: (failure: ServiceError, pause: number) => void
}

/**
 * Sends until the service has taken it, refused it, or may have taken it. Never throws: a signal
 * that fires when a try is on its way leaves it unclear, before and between tries it is refused.
 */
export async function sendAtMostOnce<Value>(
  send: (signal: AbortSignal) => Promise<Value>,
  { clock, signal, random, limits = retryLimits, onPause }: RetryContext,
): Promise<SendOutcome<Value>> {
  using budget = new Deadline(clock, limits.span, signal)
  let before: SendOutcome<Value> | undefined
  for (let attempt = 1; ; attempt++) {
    if (budget.signal.aborted) return before ?? { kind: 'refused', failure: budget.signal.reason }
    const delivery = await tryOnce(send, signal)
    if (delivery.kind !== 'refused') return delivery
    const { failure } = delivery
    if (!(failure instanceof ServiceError) || classify(failure) !== 'retry') return delivery
    // Time cut this try short: the one before tells better why.
    if (signal.aborted) return before ?? delivery
    const pause = pauseAfter(failure, attempt, limits, random)
    if (attempt >= limits.tries || pause >= budget.remaining()) return delivery
    onPause?.(failure, pause)
    // A pause that ends early leaves nothing to do: the next round sees why.
    await clock.sleep(pause, budget.signal).catch(() => undefined)
    before = delivery
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

/**
 * `Retry-After` wins, though never for a burst; else doubling, with jitter of up to a half so that
 * many steps spread.
 */
function pauseAfter(
  { retryAfter }: ServiceError,
  attempt: number,
  { firstPause }: RetryLimits,
  random: () => number,
): number {
  if (retryAfter !== undefined) return Math.max(retryAfter, firstPause)
  return firstPause * 2 ** (attempt - 1) * (0.5 + random() / 2)
}
