/** A story told in simulated time: what is real in it (files, decoders) takes no time at all. */
import { setImmediate } from 'node:timers/promises'
import type { SimulatedClock } from './simulated-clock.ts'

/** Work that nothing but its doer can see, such as a decoder's: counted from outside. */
export class Busy {
  #workers = 0

  begin(): void {
    this.#workers++
  }

  end(): void {
    this.#workers--
  }

  get any(): boolean {
    return this.#workers > 0
  }
}

export type Life<Value> =
  | { kind: 'returned'; value: Value }
  | { kind: 'threw'; error: unknown }
  /** It waits for something that never comes, or went on past the limit. */
  | { kind: 'hung'; why: string }

/** Lets time pass, from moment to moment, until the story ends. `limit`: a moment. */
export async function live<Value>(
  story: Promise<Value>,
  clock: SimulatedClock,
  limit: number,
  busy: Busy,
): Promise<Life<Value>> {
  let life: Life<Value> | undefined
  story.then(
    (value) => (life = { kind: 'returned', value }),
    (error: unknown) => (life = { kind: 'threw', error }),
  )
  for (;;) {
    const quiet = await untilQuiet(busy)
    if (life) return life
    if (!quiet) return { kind: 'hung', why: 'work on files that does not end' }
    if (clock.advance(limit)) continue
    return { kind: 'hung', why: clock.sleeping ? 'it went on for too long' : 'nothing to wait for' }
  }
}

// A turn may start work that only the next one shows.
const quietTurns = 2
/** Real milliseconds; files of a few kilobytes take one or two. */
const longestWork = 30_000

/** Resolves when nothing real is going on any more; false where that does not end. */
async function untilQuiet(busy: Busy): Promise<boolean> {
  let since: number | undefined
  for (let turns = 0; turns < quietTurns; turns++) {
    await setImmediate()
    if (!busy.any && !filesAreInUse()) continue
    turns = -1
    since ??= performance.now()
    if (performance.now() - since > longestWork) return false
  }
  return true
}

function filesAreInUse(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^FSReq|CloseReq$/.test(name))
}
