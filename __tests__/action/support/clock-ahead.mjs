// Loaded into a step before its program (NODE_OPTIONS): the clock of that process, which a test puts
// forward by writing milliseconds into the file that CLOCK_AHEAD_FILE names. CLOCK_PATIENCE: how
// many times longer than asked for a wait of more than a second takes, so that no bound of the step
// runs out only because the machine is busy.
import { readFileSync, watch } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import timers from 'node:timers/promises'

const file = process.env.CLOCK_AHEAD_FILE
const patience = Number(process.env.CLOCK_PATIENCE ?? 1)
const wakers = new Set()
let ahead = 0

for (const clock of [Date, performance]) {
  const now = clock.now.bind(clock)
  clock.now = () => now() + ahead
}

const delay = timers.setTimeout
timers.setTimeout = async (span, value, { signal, ref } = {}) => {
  const due = performance.now() + span
  for (let rest = span; rest > 0; rest = due - performance.now()) {
    const waker = new globalThis.AbortController()
    wakers.add(waker)
    try {
      const either = globalThis.AbortSignal.any([waker.signal, ...(signal ? [signal] : [])])
      // A longer one would end at once.
      const wait = Math.min(rest > 1000 ? rest * patience : rest, 2 ** 31 - 1)
      await delay(wait, undefined, {
        signal: either,
        ref: ref ?? true,
      })
    } catch (error) {
      if (!waker.signal.aborted || signal?.aborted) throw error
    } finally {
      wakers.delete(waker)
    }
  }
  signal?.throwIfAborted()
  return value
}
syncBuiltinESMExports()

if (file !== undefined) {
  // The program's own listeners follow in the same turn: the clock may move once this line is read.
  process.once('SIGINT', () => console.log('received SIGINT'))
  watch(file, { persistent: false }, () => {
    ahead = Math.max(ahead, Number(readFileSync(file, 'utf8')))
    for (const waker of wakers) waker.abort()
  })
}
