import { setTimeout as delay } from 'node:timers/promises'

// In milliseconds. This is much longer than anything that the tests wait for.
const patience = 110_000

/** Waits until a condition holds. @throws Error if the condition does not hold in time. */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + patience
  while (!holds()) {
    if (Date.now() > end) throw new Error(`false after ${String(patience)} ms: ${String(holds)}`)
    await delay(5)
  }
}

/** Resolves with the value of a promise. @throws Error if the promise does not settle in time. */
export async function within<Value>(promise: Promise<Value>): Promise<Value> {
  const late = delay(patience, undefined, { ref: false }).then(() => {
    throw new Error(`the promise did not settle in ${String(patience)} ms`)
  })
  return Promise.race([promise, late])
}
