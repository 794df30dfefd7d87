// Loaded into a step before its program, through NODE_OPTIONS. Timers in its threads, where
// GitHub's clients run, take a hundredth of their time. The step's own timers do not change.
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) {
  const wait = globalThis.setTimeout
  const hasten = (run, span = 0, ...rest) => wait(run, span / 100, ...rest)
  globalThis.setTimeout = Object.assign(hasten, wait)
}
