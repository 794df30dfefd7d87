/** Runs code in simulated time. Real work, such as reading a file, takes no simulated time. */
import { setImmediate } from 'node:timers/promises'
import type { SimulatedClock } from './simulated-clock.ts'

/** Waits for real work. Node does not list the work of decoders, so callers count this work. */
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

  // There is no limit. Otherwise, the result would depend on the load of the machine.
  async #untilIdle(): Promise<void> {
    for (let turns = 0; turns < idleTurns; turns++) {
      await setImmediate()
      if (this.#count > 0 || isBusy()) turns = -1
    }
  }
}

// Work that one turn of the event loop starts may be visible only in the next turn.
const idleTurns = 2

/** Returns true if files are in use, or if code waits for the next turn of the event loop. */
function isBusy(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^FSReq|CloseReq$|^Immediate$/.test(name))
}

export type Ending<Value> =
  | { kind: 'returned'; value: Value }
  | { kind: 'threw'; error: unknown }
  /** The work waits without a timer, or was running at the limit (`late`). */
  | { kind: 'hung'; why: string; late: boolean }

/**
 * Advances the clock from timer to timer until `work` settles, or until the time `limit`. Several
 * calls may share a clock. Time passes when the work of all calls is idle.
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
    return { kind: 'hung', why: late ? 'running at the limit' : 'waits without a timer', late }
  }
}
