/** Checks which records a step leaves for its re-run. */
import { idsOf } from './check-cancellation.ts'
import { hasReportedEnd } from './check-reruns.ts'
import { hasExecution } from './check-promise.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { maxEarly } from './simulated-clock.ts'
import { saysReported } from './simulated-cache.ts'
import type { Traffic } from './traffic.ts'

/** `runs` is the traffic of the step, separately for each run. */
export function checkRecord(step: FinishedStep, runs: readonly Traffic[]): Violation[] {
  const { plan, traffic } = step
  const isFirst = Number(plan.variables['GITHUB_RUN_ATTEMPT'] ?? 1) === 1
  const isUnread = isFirst && plan.onRerun === 'start'
  const saves = traffic.saves.length + traffic.records.length
  const missing = isUnread ? [] : unrecorded(step, runs)
  return [
    ...check(
      !isUnread || saves === 0,
      'records of first attempts that no re-run reads',
      String(saves),
    ),
    ...check(missing.length === 0, 'open ends without a record', missing.join()),
    ...check(
      !isFalselyReported(step),
      'records of cancelled steps that say reported',
      traffic.records.at(-1)?.key ?? '',
    ),
  ]
}

/** Returns started executions whose end is not reported and that are in no record of this step. */
function unrecorded(step: FinishedStep, runs: readonly Traffic[]): string[] {
  const { plan, run, traffic } = step
  const isFollowed = plan.action === 'run' || plan.batch !== undefined
  const isReported = plan.batch
    ? conclusionOf(run) === 'success' && run.passed
    : isFollowed && hasReportedEnd(step)
  const hasCache = plan.variables['ACTIONS_CACHE_URL'] !== undefined && plan.full !== 'temp'
  if (run.killed || isReported || !hasCache || hasSaveFault(traffic)) return []
  const saved = traffic.records.filter(({ at }) => at <= run.endedAt + maxEarly)
  return idsOf(runs).filter((id) => !saved.some((record) => hasExecution(record, id)))
}

/**
 * Returns true if the newest record of a step that a cancellation failed says that its end is
 * reported. With `reuse`, a reported success stays a success.
 */
function isFalselyReported({ run, plan, traffic }: FinishedStep): boolean {
  const isCut = run.cancelledAt !== undefined && !run.killed && !run.passed
  const newest = traffic.records.at(-1)
  if (!isCut || plan.onRerun === 'reuse' || !newest || hasSaveFault(traffic)) return false
  return saysReported(newest)
}

function hasSaveFault({ faults }: Traffic): boolean {
  return faults.some((fault) => fault.startsWith('cache: save'))
}
