/** Checks that a step which got two signals reports what it knows before the runner kills it. */
import { hasExecution } from './check-promise.ts'
import { isFindable } from './check-start.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { maxEarly } from './simulated-clock.ts'
import { isAccepted, type Traffic } from './traffic.ts'

/** Milliseconds from the first signal to the annotation. */
const maxTimeToReport = 5_500

/** `runs`: the step's traffic about each of its runs. */
export function checkCancellation(step: FinishedStep, runs: readonly Traffic[]): Violation[] {
  const { passed, recorded, endedAt, cancelledAt, signalledAgainAt } = step.run
  if (cancelledAt === undefined || signalledAgainAt === undefined) return []
  const span = endedAt - cancelledAt
  const missing = [
    ...(span > maxTimeToReport ? [`its end ${Math.round(span)} ms after the first signal`] : []),
    ...(passed || recorded.errors === 1 ? [] : ['its annotation']),
    ...hiddenIds(step, runs),
    ...unrecorded(step, runs).map((id) => `the record of ${id}`),
  ]
  const invariant = 'steps signalled twice that do not report in time'
  return check(missing.length === 0, invariant, `missing: ${missing.join(', ')}`)
}

/** Returns the newest execution of each run, if the step knows its id. */
function idsOf(runs: readonly Traffic[]): string[] {
  return runs.flatMap((traffic) => {
    const last = traffic.of('start').at(-1)?.seen
    return last && isAccepted(last) ? (last.executionId ?? []) : []
  })
}

/** Returns executions that are not reported. Ids of unusual shapes are made inert in texts. */
function hiddenIds(step: FinishedStep, runs: readonly Traffic[]): string[] {
  const { plan, run, traffic } = step
  if (!plan.batch) {
    const isReported = traffic.accepted.length === 0 || isFindable(step)
    return isReported ? [] : ['its execution id']
  }
  const plain = idsOf(runs).filter((id) => /^[\da-f-]+$/.test(id))
  return plain.filter((id) => !run.recorded.lines.some((line) => line.includes(id)))
}

/** Returns executions that a re-run must find and that no record of this step has. */
function unrecorded(step: FinishedStep, runs: readonly Traffic[]): string[] {
  const { plan, run, traffic } = step
  const isRecorded = plan.onRerun !== 'start' || Number(plan.place['GITHUB_RUN_ATTEMPT']) > 1
  const hasCache = plan.place['ACTIONS_CACHE_URL'] !== undefined && traffic.cacheFaults === 0
  // An end that was reported needs no record. A step that is cut short may have no conclusion.
  const isOpen = plan.action === 'start' || ['cancelled', ''].includes(conclusionOf(run))
  if (!isRecorded || !hasCache || !isOpen || plan.full === 'temp') return []
  const saved = traffic.records.filter(({ at }) => at <= run.endedAt + maxEarly)
  return idsOf(runs).filter((id) => !saved.some((record) => hasExecution(record, id)))
}
