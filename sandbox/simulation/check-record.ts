/** Checks which records a step leaves for its re-run. */
import { idsOf } from './check-cancellation.ts'
import { hasReportedEnd } from './check-reruns.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, checkNone, type Violation } from './invariants.ts'
import { maxEarly } from './simulated-clock.ts'
import { newestOf, saysReported } from './simulated-cache.ts'
import type { SavedRecord, Traffic } from './traffic.ts'

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
    ...checkNone('open ends without a record', missing),
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

/** Checks that a re-run will find the executions that an annotation promises to take over. */
export function checkPromise(step: FinishedStep): Violation[] {
  // The step cannot know that the cache has lost a saved record.
  if (step.traffic.faults.includes('cache: save lost')) return []
  const newest = newestRecords(step)
  // A re-run starts a new run if the record says that the end is reported.
  const isKept = (record: SavedContent) => step.plan.onRerun === 'reuse' || !saysReported(record)
  const isFound = (id: string) =>
    newest.length > 0 && newest.every((record) => hasExecution(record, id) && isKept(record))
  const lost = promisedIn(step).filter((id) => !isFound(id))
  return checkNone('promised executions missing in the newest record', lost)
}

type SavedContent = Pick<SavedRecord, 'key' | 'content'>

const promisePattern = /takes this run over|takes over runs in progress|keeps successful runs/

/** Returns the executions that a re-run takes over or keeps according to the annotation. */
function promisedIn({ run: { recorded }, files }: FinishedStep): string[] {
  const isPromised = recorded.annotations.some(
    ({ level, text }) => level === 'error' && promisePattern.test(text),
  )
  if (!isPromised) return []
  const rows = files.batch?.rows
  if (!rows) return [recorded.output('execution-id')]
  const lasting = ['success', 'timed-out', 'cancelled', 'unknown']
  return rows.flatMap((row) => (lasting.includes(row.conclusion) ? (row.execution_id ?? []) : []))
}

/** Returns the newest records after the end of all saves, including saves that were given up. */
function newestRecords({ traffic, context }: FinishedStep): SavedContent[] {
  const newest = newestOf(traffic.records)
  const { recordFound: key } = traffic
  return newest.length > 0 || key === undefined
    ? newest
    : [{ key, content: context.cache.contentOf(key) }]
}

/** Returns true if the record names the execution, in its key (run) or its content (batch). */
function hasExecution({ key, content }: SavedContent, id: string): boolean {
  const isInKey = key.includes(`-${Buffer.from(id).toString('hex')}-`)
  return isInKey || Buffer.from(content).includes(JSON.stringify(id))
}
