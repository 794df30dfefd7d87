/** Checks that a step that gets two signals reports its executions before the runner kills it. */
import { hasExecution } from './check-promise.ts'
import { isFindable } from './check-start.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { maxEarly } from './simulated-clock.ts'
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
    ...unrecorded(step, runs).map((id) => `the record of ${id}`),
  ]
  const invariant = 'steps that get two signals and do not report in time'
  return check(missing.length === 0, invariant, `missing: ${missing.join(', ')}`)
}

/** Returns the id of the newest execution of each run, if the step knows the id. */
function idsOf(runs: readonly Traffic[]): string[] {
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
  const plain = idsOf(runs).filter((id) => /^[\da-f-]+$/.test(id))
  return plain.filter((id) => !run.recorded.lines.some((line) => line.includes(id)))
}

/** Returns executions that a re-run must find and that are in no record of this step. */
function unrecorded(step: FinishedStep, runs: readonly Traffic[]): string[] {
  const { plan, run, traffic } = step
  const isRecorded = plan.onRerun !== 'start' || Number(plan.variables['GITHUB_RUN_ATTEMPT']) > 1
  const hasCache = plan.variables['ACTIONS_CACHE_URL'] !== undefined && traffic.cacheFaults === 0
  // A reported end needs no record. The conclusion is empty if the step was ended early.
  const isOpen = plan.action === 'start' || ['cancelled', ''].includes(conclusionOf(run))
  if (!isRecorded || !hasCache || !isOpen || plan.full === 'temp') return []
  const saved = traffic.records.filter(({ at }) => at <= run.endedAt + maxEarly)
  return idsOf(runs).filter((id) => !saved.some((record) => hasExecution(record, id)))
}
