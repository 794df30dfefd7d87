/** Repeats calls of GitHub's clients, which repeat few failures themselves. */
import { Deadline, type Clock } from '../../clock.ts'
import { failureIn } from './storage-failure.ts'

export const maxTries = 3
/** The pauses between two tries, in milliseconds. */
const pauses = [1_000, 3_000]

interface TryContext {
  clock: Clock
  /** Aborts when the call must end. */
  signal: AbortSignal
  /** The time limit of one try, in milliseconds. */
  maxTime: number
}

/**
 * Makes a call, up to three times in all. Repeats a call that took too long, or whose failure is
 * temporary. Rejects with the first failure if the signal ends a later try.
 */
export async function tryAgain<Value>(
  call: (limit: Deadline) => Promise<Value>,
  { clock, signal, maxTime }: TryContext,
): Promise<Value> {
  const failures: unknown[] = []
  for (let tries = 1; ; tries += 1) {
    using limit = new Deadline(clock, maxTime, signal)
    try {
      return await call(limit)
    } catch (error) {
      failures.push(error)
      const mayHelp = limit.signal.aborted || failureIn(error)?.kind === 'temporary'
      if (!signal.aborted && (tries === maxTries || !mayHelp)) throw error
    }
    await clock.sleep(pauses[tries - 1] ?? 0, signal).catch(() => undefined)
    if (signal.aborted) throw failures[0]
  }
}
