/** Runs code in simulated time. Real work (files, decoders) takes no simulated time. */
import { setImmediate } from 'node:timers/promises'
import type { SimulatedClock } from './simulated-clock.ts'

/** Real work. Work that Node does not list, such as a decoder's, is counted here. */
export class PendingWork {
  #count = 0
  #end: Promise<void> | undefined

  begin(): void {
    this.#count++
  }

  end(): void {
    this.#count--
  }

  /** Resolves when no work is running. Simultaneous calls share one promise. */
  untilIdle(): Promise<void> {
    return (this.#end ??= this.#untilIdle().finally(() => (this.#end = undefined)))
  }

  /**
   * Has no limit. With a limit in real time, or in turns, the load of the machine would decide.
   */
  async #untilIdle(): Promise<void> {
    for (let turns = 0; turns < idleTurns; turns++) {
      await setImmediate()
      if (this.#count > 0 || isAtWork()) turns = -1
    }
  }
}

// One turn of the event loop may start work that is visible only in the next turn.
const idleTurns = 2

/** True if files are in use, or code waits for the next turn of the event loop. */
function isAtWork(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^FSReq|CloseReq$|^Immediate$/.test(name))
}

export type Ending<Value> =
  | { kind: 'returned'; value: Value }
  | { kind: 'threw'; error: unknown }
  /** It waits without a timer, or was still running at the limit (`late`). */
  | { kind: 'hung'; why: string; late: boolean }

/**
 * Advances the clock from timer to timer until `work` settles. `limit` is a moment. Several calls
 * may share a clock. Time passes when all of them are idle.
 */
export async function runToEnd<Value>(
  work: Promise<Value>,
  clock: SimulatedClock,
  limit: number,
  pending: PendingWork,
): Promise<Ending<Value>> {
  let ending: Ending<Value> | undefined
  work.then(
    (value) => (ending = { kind: 'returned', value }),
    (error: unknown) => (ending = { kind: 'threw', error }),
  )
  for (;;) {
    const { woken } = clock
    await pending.untilIdle()
    if (ending) return ending
    if (clock.woken !== woken || clock.advanceToNext(limit)) continue
    const late = clock.sleeping > 0
    return { kind: 'hung', why: late ? 'it went on for too long' : 'nothing to wait for', late }
  }
}
