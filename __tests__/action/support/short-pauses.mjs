// Loaded into a step before its program (NODE_OPTIONS): in its threads, where GitHub's clients are,
// timers take a hundredth of their time. What bounds the clients keeps to the clock of the step.
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) {
  const wait = globalThis.setTimeout
  const hasten = (run, span = 0, ...rest) => wait(run, span / 100, ...rest)
  globalThis.setTimeout = Object.assign(hasten, wait)
}
