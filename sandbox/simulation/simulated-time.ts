/** Runs code in simulated time: its real work (files, decoders) takes none of that time. */
import { setImmediate } from 'node:timers/promises'
import type { SimulatedClock } from './simulated-clock.ts'

/** Real work; that which the process does not show, such as a decoder's, is counted. */
export class PendingWork {
  #count = 0
  #end: Promise<void> | undefined

  begin(): void {
    this.#count++
  }

  end(): void {
    this.#count--
  }

  /** Resolves when none goes on any more, for all who wait for that at the same moment. */
  untilIdle(): Promise<void> {
    return (this.#end ??= this.#untilIdle().finally(() => (this.#end = undefined)))
  }

  /**
   * However long it takes: a limit in real time, or in turns, would blame the step for what else
   * the machine does.
   */
  async #untilIdle(): Promise<void> {
    for (let turns = 0; turns < idleTurns; turns++) {
      await setImmediate()
      if (this.#count > 0 || isAtWork()) turns = -1
    }
  }
}

// A turn of the event loop may start work that only the next one shows.
const idleTurns = 2

/** Files are in use, or somebody waits for the next turn: a long list is read in many. */
function isAtWork(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^FSReq|CloseReq$|^Immediate$/.test(name))
}

export type Ending<Value> =
  | { kind: 'returned'; value: Value }
  | { kind: 'threw'; error: unknown }
  /** It waits for something that never comes, or went on past the limit (`late`). */
  | { kind: 'hung'; why: string; late: boolean }

/**
 * Advances the clock from timer to timer until `work` settles. `limit`: a moment. Where several do so
 * with one clock, it goes on when all of them have nothing else to do.
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
