import { Deadline } from '../clock.ts'
import type { Step } from '../runner/step.ts'

// How long the one look of `timeout: 0s` may take.
const oneLook = 30_000

/** The step's time, from now on; a cancellation ends it early. */
export function deadlineFor(timeout: number, { clock, cancelled }: Step): Deadline {
  return new Deadline(clock, timeout === 0 ? oneLook : timeout, cancelled)
}
