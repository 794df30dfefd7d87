// Loaded into a step before its program, through NODE_OPTIONS. A test puts the clock of the process
// forward: it writes milliseconds into the file CLOCK_AHEAD_FILE. Waits of more than a second take
// CLOCK_PATIENCE times as long, so that no time limit of the step passes because the machine is
// busy. From SIGINT on, the clock is slow, so that almost only the test moves it.
import { readFileSync, watch } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import timers from 'node:timers/promises'

const file = process.env.CLOCK_AHEAD_FILE
const patience = Number(process.env.CLOCK_PATIENCE ?? 1)
const wakers = new Set()
const slowness = 20
let ahead = 0
let isSlow = false

const clocks = [Date, performance].map((clock) => ({
  clock,
  realNow: clock.now.bind(clock),
  slowFrom: Infinity,
}))
for (const each of clocks) {
  each.clock.now = () => {
    const now = each.realNow()
    const late = Math.max(0, now - each.slowFrom)
    return now - late + late / slowness + ahead
  }
}

const delay = timers.setTimeout
timers.setTimeout = async (span, value, { signal, ref } = {}) => {
  const due = performance.now() + span
  for (let rest = span; rest > 0; rest = due - performance.now()) {
    const waker = new globalThis.AbortController()
    wakers.add(waker)
    try {
      const either = globalThis.AbortSignal.any([waker.signal, ...(signal ? [signal] : [])])
      // A timer of more than 2 ** 31 - 1 ms would fire at once.
      const longest = 2 ** 31 - 1
      const factor = isSlow ? slowness : rest > 1000 ? patience : 1
      await delay(Math.min(rest * factor, longest), undefined, {
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
  // The program's own listeners run in the same turn, so a test may move the clock after this line.
  process.once('SIGINT', () => {
    isSlow = true
    for (const each of clocks) each.slowFrom = each.realNow()
    for (const waker of wakers) waker.abort()
    console.log('received SIGINT')
  })
  watch(file, { persistent: false }, () => {
    const span = Number(readFileSync(file, 'utf8'))
    if (span <= ahead) return
    ahead = span
    console.log(`the clock is ${span} ms ahead`)
    for (const waker of wakers) waker.abort()
  })
}
