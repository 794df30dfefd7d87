/** Runs code in simulated time: its real work (files, decoders) takes none of that time. */
import { setImmediate } from 'node:timers/promises'
import type { SimulatedClock } from './simulated-clock.ts'

/** Counts work that the process does not show, such as a decoder's. */
export class PendingWork {
  #count = 0

  begin(): void {
    this.#count++
  }

  end(): void {
    this.#count--
  }

  get any(): boolean {
    return this.#count > 0
  }
}

export type Ending<Value> =
  | { kind: 'returned'; value: Value }
  | { kind: 'threw'; error: unknown }
  /** It waits for something that never comes, or went on past the limit (`late`). */
  | { kind: 'hung'; why: string; late: boolean }

/** Advances the clock from timer to timer until `work` settles. `limit`: a moment. */
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
    await untilIdle(pending)
    if (ending) return ending
    if (clock.advanceToNext(limit)) continue
    const late = clock.sleeping > 0
    return { kind: 'hung', why: late ? 'it went on for too long' : 'nothing to wait for', late }
  }
}

// A turn of the event loop may start work that only the next one shows.
const idleTurns = 2

/**
 * Resolves when no real work goes on any more. However long that takes: a limit in real time, or in
 * turns, would blame the step for what else the machine does.
 */
async function untilIdle(pending: PendingWork): Promise<void> {
  for (let turns = 0; turns < idleTurns; turns++) {
    await setImmediate()
    if (pending.any || isAtWork()) turns = -1
  }
}

/** Files are in use, or somebody waits for the next turn: a long list is read in many. */
function isAtWork(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^FSReq|CloseReq$|^Immediate$/.test(name))
}
