/**
 * Listens for the signals that cancel a step. GitHub's runner first sends SIGINT. SIGTERM follows
 * after 7.5 s, and SIGKILL another 2.5 s later.
 */
import type { Clock } from '../clock.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// The time limit for a cancelled step, in milliseconds. The runner waits 7.5 s before it sends
// SIGTERM. The process then needs up to 0.5 s to exit, and 0.5 s remain as a reserve.
export const maxTimeToEnd = 6_500

/** The part of `process` that reports operating system signals. */
interface SignalSource {
  on(signal: (typeof signals)[number], listener: () => void): unknown
}

/**
 * Returns an AbortSignal that aborts when the process first receives SIGINT, SIGTERM or SIGHUP.
 * Calls `onOverdue` 6.5 s later, unless `finished` has aborted. Ignores further signals, because
 * terminals, service managers and containers send signals in pairs.
 */
export function listenForCancellation(
  source: SignalSource,
  { onOverdue, clock, finished }: { onOverdue: () => void; clock: Clock; finished: AbortSignal },
): AbortSignal {
  const cancellation = new AbortController()
  const cancel = (name: string) => {
    if (cancellation.signal.aborted) return
    clock.sleep(maxTimeToEnd, finished).then(onOverdue, () => undefined)
    cancellation.abort(new Error(`the runner sent ${name}`))
  }
  for (const name of signals) source.on(name, () => cancel(name))
  return cancellation.signal
}
