/**
 * The signals that cancel a step. GitHub sends SIGINT, 7.5 s later SIGTERM, and 2.5 s later
 * SIGKILL.
 */
import type { Clock } from '../clock.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// Milliseconds. A step needs half a second to end, so this limit stays below the runner's 7.5 s.
export const maxTimeToEnd = 6_500

/** The part of `process` that reports signals. */
export interface SignalSource {
  on(signal: (typeof signals)[number], listener: () => void): unknown
}

/**
 * Returns a signal that aborts at the first signal of the runner. `onOverdue` is called 6.5 s later,
 * unless `finished` has aborted. Further signals do nothing, because terminals, service managers and
 * containers send signals in pairs.
 */
export function listenForCancellation(
  source: SignalSource,
  onOverdue: () => void,
  { clock, finished }: { clock: Clock; finished: AbortSignal },
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
