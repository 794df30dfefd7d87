/**
 * The retry policy for requests that must not happen twice: starting an automation and creating a
 * project. Such a request is sent again only if the service cannot have accepted it.
 * Source: docs/contributing/service.md, "Sending again".
 */
import { DelayedSignal, isCausedBy, TimeUp, type Clock } from '../clock.ts'
import { growingPause } from './backoff.ts'
import { classify } from './classify.ts'
import { NotSentError, refusesCredentials, ServiceError } from './service-errors.ts'

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
 * How long a request is sent again if the service refuses credentials that it has accepted before,
 * in milliseconds.
 */
export const maxRefusedTime = 30_000

/**
 * How long a sent request may wait for its response after the timeout or a cancellation of the
 * step, in milliseconds. Without the response, the outcome and the id are unknown.
 */
export const lastAnswerTime = 3_500

/** How a request ended that the service refused, or may not have accepted. */
export type NotAccepted =
  /** The service received the request and refused it for good. Nothing was started or created. */
  | { kind: 'refused'; failure: unknown }
  /**
   * Certainly nothing was started or created: no request reached the service, or the service
   * answered only that it may accept the request later. `byCancel` is true if the cancellation of
   * the step ended the tries. A {@link NotSentError} says itself why nothing was sent.
   */
  | { kind: 'not-sent'; failure: unknown; byCancel: boolean }
  /** The service may or may not have accepted the request. */
  | { kind: 'unclear'; failure: unknown; byCancel: boolean }

type SendOutcome<Value> = { kind: 'accepted'; value: Value } | NotAccepted

export interface RetryContext {
  clock: Clock
  /**
   * Aborts at the step's timeout (with {@link TimeUp}) or at its cancellation. Then a request that is
   * sent gets 3.5 s more.
   */
  until: AbortSignal
  /**
   * Aborts when no try begins any more, at the latest with `until`. Does not cut a request that is
   * sent. Default: `until`.
   */
  noMoreTries?: AbortSignal | undefined
  /** Returns a number from 0 to below 1. */
  random: () => number
  /** Replaces {@link maxRetryTime}. */
  maxTime?: number | undefined
  /** Called before each pause with the error of the previous try and the pause in milliseconds. */
  onPause: (failure: unknown, pause: number) => void
}

/**
 * Repeats a request until the service has accepted or refused it, or may have accepted it (the
 * outcome is unclear). Never rejects. If `until` aborts after a try has connected, the outcome may
 * be unclear. If `until` aborts before that, or between tries, nothing was accepted.
 *
 * @param send makes one try and rejects with the errors of `service-errors.ts`. Its first signal ends the
 * try, its second signal ends the try as long as no connection is made.
 */
export async function sendAtMostOnce<Value>(
  send: (untilAnswered: AbortSignal, untilConnected: AbortSignal) => Promise<Value>,
  { clock, until, noMoreTries = until, random, maxTime = maxRetryTime, onPause }: RetryContext,
): Promise<SendOutcome<Value>> {
  using untilAnswered = new DelayedSignal(until, lastAnswerTime, clock)
  const isOver = () => noMoreTries.aborted
  const lastTryBefore = clock.now() + maxTime
  let failureBefore: unknown
  let refusedSince: number | undefined
  for (let tries = 1; ; tries++) {
    if (isOver()) return giveUp(failureBefore ?? noMoreTries.reason, until)
    let failure: unknown
    try {
      return { kind: 'accepted', value: await send(untilAnswered.signal, until) }
    } catch (error) {
      failure = error
    }
    // In a batch, the turn of this try did not come. The error of the previous try says more.
    if (failure instanceof NotSentError && failureBefore !== undefined) {
      return giveUp(failureBefore, until)
    }
    const kind = classify(failure)
    if (kind === 'refused') return { kind, failure }
    if (kind !== 'again') {
      return { kind, failure, byCancel: isCancelled(until) && isCausedBy(failure, until) }
    }
    // This try was probably cut, so the error of the previous try says more about the service.
    if (isOver()) return giveUp(failureBefore ?? failure, until)
    const isRefused = refusesCredentials(failure)
    refusedSince = isRefused ? (refusedSince ?? clock.now()) : undefined
    const refusalEnds = (refusedSince ?? Infinity) + maxRefusedTime
    if (clock.now() >= refusalEnds) return { kind: 'refused', failure }
    const retryAfter = failure instanceof ServiceError ? (failure.retryAfter ?? 0) : 0
    const grown = growingPause(firstRetryPause, tries, maxRetryPause, random)
    const pause = Math.max(Math.min(grown, refusalEnds - clock.now()), retryAfter)
    if (clock.now() + pause >= lastTryBefore) {
      return isRefused ? { kind: 'refused', failure } : giveUp(failure, until)
    }
    onPause(failure, pause)
    // If `noMoreTries` ends the pause early, the next round of the loop returns immediately.
    await clock.sleep(pause, noMoreTries).catch(() => undefined)
    failureBefore = failure
  }
}

/** Ends the tries. The service has accepted none of them. */
function giveUp(failure: unknown, until: AbortSignal): NotAccepted {
  return { kind: 'not-sent', failure, byCancel: isCancelled(until) }
}

function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof TimeUp)
}
