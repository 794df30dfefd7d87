import { setTimeout as delay } from 'node:timers/promises'

// Milliseconds. Far longer than anything waited for takes.
const patience = 110_000

/** Waits for something to become true. @throws Error when it does not. */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + patience
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not so after ${String(patience)} ms: ${String(holds)}`)
    await delay(5)
  }
}

/** What a promise brings, if it does so in time. @throws Error when it does not. */
export async function within<Value>(promise: Promise<Value>): Promise<Value> {
  const late = delay(patience, undefined, { ref: false }).then(() => {
    throw new Error(`nothing came of it in ${String(patience)} ms`)
  })
  return Promise.race([promise, late])
}
