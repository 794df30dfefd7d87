/** Checks that a step that gets two signals reports its executions before the runner kills it. */
import { isFindable } from './check-start.ts'
import type { FinishedStep } from './finished-step.ts'
import { checkNone, type Violation } from './invariants.ts'
import { isAccepted, type Traffic } from './traffic.ts'

/** The maximum time from the first signal to the end of the step, in milliseconds. */
const maxTimeToReport = 5_500

/** `runs` is the traffic of the step, separately for each run. */
export function checkCancellation(step: FinishedStep, runs: readonly Traffic[]): Violation[] {
  const { passed, recorded, endedAt, cancelledAt, signalledAgainAt } = step.run
  if (cancelledAt === undefined || signalledAgainAt === undefined) return []
  const span = endedAt - cancelledAt
  const missing = [
    ...(span > maxTimeToReport ? [`an end in time, not after ${Math.round(span)} ms`] : []),
    ...(passed || recorded.errors === 1 ? [] : ['its annotation']),
    ...hiddenIds(step, runs),
  ]
  return checkNone('steps that get two signals and do not report in time', missing)
}

/** Returns the id of the newest execution of each run, if the step knows the id. */
export function idsOf(runs: readonly Traffic[]): string[] {
  return runs.flatMap((traffic) => {
    const last = traffic.of('start').at(-1)?.seen
    return last && isAccepted(last) ? (last.executionId ?? []) : []
  })
}

/** Returns ids that are not reported. In a batch, ids that the log escapes are skipped. */
function hiddenIds(step: FinishedStep, runs: readonly Traffic[]): string[] {
  const { plan, run, traffic } = step
  if (!plan.batch) {
    const isReported = traffic.accepted.length === 0 || isFindable(step)
    return isReported ? [] : ['its execution id']
  }
  return idsOf(runs).filter((id) => run.recorded.hides(id))
}
