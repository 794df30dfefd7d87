/** Checks what an attempt of a job does about the executions of earlier attempts. */
import type { Row } from './batch-files.ts'
import { isRunning } from './check-pace.ts'
import { outcomeOf, stateAt } from './execution-plan.ts'
import { conclusionOf, isResultLost, type FinishedStep } from './finished-step.ts'
import { check, checkNone, type Violation } from './invariants.ts'
import { checksUntil, hasLastingFlag, isMissing, lastRecord } from './proven-by-checks.ts'
import { saysReported } from './simulated-cache.ts'
import { isAccepted, type Exchange } from './traffic.ts'

/** The delay of the first save, in milliseconds. If there is an older record, there is no delay. */
const firstSave = 20_000
/** The maximum time for two saves, one after the other, in milliseconds. */
const twoSaves = 3_000

export function checkAttempt(step: FinishedStep): Violation[] {
  const { plan, traffic, run, context } = step
  const { history, service } = context
  const asks = plan.onRerun !== 'start'
  const id = run.recorded.output('execution-id')
  const isForeign = id !== '' && !service.executions.find(id)
  const unknownIds = [...traffic.unknownIds, ...(isForeign ? [id] : [])]
  const isRepeated = hasReportedEnd(step) && history.reported.has(id) && plan.onRerun === 'resume'
  const missed = asks && history.cacheWorks ? findMissed(step) : []
  const undue = asks ? findUndue(entriesOf(step), step) : []
  return [
    ...checkNone('executions started while an earlier one may run', undue),
    ...checkNone('executions taken over from another step', unknownIds),
    ...check(!isRepeated || !history.cacheWorks, 'ends reported a second time', id),
    ...checkNone('parallel executions although the cache works', missed),
  ]
}

/** Stores whether the cache had faults. Call it before any check of the step. */
export function noteCache({ plan, traffic, context: { history } }: FinishedStep): void {
  history.cacheWorks &&= traffic.cacheFaults === 0 && plan.full !== 'temp'
}

/** What the record that a step has found says about an execution. */
interface Entry {
  executionId?: string
  /** How the execution ended. Undefined if the record does not say so. */
  outcome?: string | undefined
  isReported: boolean
}

/** Returns the entries of the record that the step has found and could read. */
function entriesOf({ traffic, context, plan }: FinishedStep): Entry[] {
  const { recordFound: key = '', faults } = traffic
  if (!plan.batch) {
    const [, outcome, hex] =
      /-\d+-(?:started|reported-([a-z-]+))-([0-9a-f]+)-[0-9a-f]{32}$/.exec(key) ?? []
    const executionId = Buffer.from(hex ?? '', 'hex').toString()
    return hex === undefined ? [] : [{ executionId, outcome, isReported: outcome !== undefined }]
  }
  const isCut = faults.some((fault) => /^cache: (?:download|cut off)/.test(fault))
  if (key === '' || isCut) return []
  const text = Buffer.from(context.cache.contentOf(key)).toString()
  const { runs, isReported } = JSON.parse(text) as { runs: [string, Entry][]; isReported: boolean }
  return runs.map(([, entry]) => ({ ...entry, isReported }))
}

/**
 * Returns the recorded executions after which a start came too early: the service did not confirm
 * that the execution ended with a failure or is gone.
 */
function findUndue(entries: readonly Entry[], view: FinishedStep): string[] {
  const { plan, traffic, context } = view
  const [start] = traffic.of('start')
  if (!start) return []
  const checks = checksUntil(traffic, start.sentAt)
  if (isMissing(checks) || hasLastingFlag(checks)) return []
  const status = lastRecord(checks)
  const outcome = status && outcomeOf(status)
  // The action `start` publishes no result. A retry may follow a result that this step finds invalid.
  const isRepeatable =
    (plan.action === 'start' && plan.onRerun !== 'reuse') || plan.retryOn.includes('invalid-result')
  return entries.flatMap(({ executionId: id = '', outcome: recorded, isReported }) => {
    const hasFailed = recorded !== undefined && recorded !== 'success'
    const isOver = isReported && !(plan.onRerun === 'reuse' && recorded === 'success')
    if (isOver || !context.service.executions.find(id)) return []
    if (outcome === 'success') return status?.finished && (isRepeatable || hasFailed) ? [] : [id]
    return status?.finished || (status && hasFailed) ? [] : [id]
  })
}

/** Returns recorded executions that were running when this attempt started its first execution. */
function findMissed({ traffic, context }: FinishedStep): string[] {
  const { history, service } = context
  const [started] = traffic.accepted
  const [start] = traffic.of('start')
  if (started === undefined || !start) return []
  const at = service.executions.find(started)?.startedAt ?? 0
  const checks = checksUntil(traffic, start.sentAt)
  if (isMissing(checks) || hasLastingFlag(checks)) return []
  return [...history.expected].filter((id) => {
    const earlier = service.executions.find(id)
    return earlier && !stateAt(earlier.plan, at - earlier.startedAt).finished
  })
}

/** Stores what the next attempt must find. Call it after the step was checked. */
export function rememberAttempt(step: FinishedStep): void {
  const { traffic, run, plan, context } = step
  const { history } = context
  const [first] = traffic.of('start')
  const checks = checksUntil(traffic, first?.sentAt ?? 0)
  // An execution that counted as ended need not be found again, for example if the new start is unclear,
  // or if the service says later that it is running.
  const isOver =
    isMissing(checks) || hasLastingFlag(checks) || lastRecord(checks)?.finished === true
  if (first && isOver) history.expected.clear()
  const known = traffic.of('start').at(-1)
  const last = traffic.accepted.at(-1)
  const isSavedAtOnce = plan.action === 'start'
  if (last && known && isAccepted(known.seen) && isSavedSince(known, step, isSavedAtOnce)) {
    history.expected.add(last)
  }
  // A step may die after it has saved that its end is reported.
  if (run.killed && traffic.records.some(saysReported)) history.expected.clear()
  if (!hasReportedEnd(step)) return
  const id = run.recorded.output('execution-id')
  history.reported.set(id, conclusionOf(run))
  // The execution may still be running, because a lasting flag without `finished` is also an end.
  history.expected.delete(id)
}

/** Returns true unless the step was killed before it could save the start. */
function isSavedSince(
  start: Exchange | undefined,
  { run, traffic }: FinishedStep,
  isSavedAtOnce = false,
): boolean {
  if (!run.killed) return true
  const hasOlder = isSavedAtOnce || traffic.recordFound !== undefined
  // The first save comes 20 s after the first start, also if a retry has followed by then.
  const first = traffic.of('start').find(({ seen }) => isAccepted(seen))
  const dueAt = hasOlder ? -Infinity : (first?.at ?? Infinity) + firstSave
  return run.endedAt - Math.max(dueAt, start?.at ?? Infinity) >= twoSaves
}

/** Returns true if the step has reported the end of the run and, for a success, all its files. */
export function hasReportedEnd(step: FinishedStep): boolean {
  const { plan, run } = step
  const isInterrupted = run.killed || run.cancelledAt !== undefined || run.recorded.lostOutputs > 0
  if (isInterrupted || plan.action !== 'run') return false
  const conclusion = conclusionOf(run)
  return conclusion === 'success' ? !isResultLost(step) : failures.has(conclusion)
}

const failures = new Set(['error', 'container-error', 'stopped', 'invalid-result'])

/** Checks one attempt of a batch. `runs` has one view of the step for each run. */
export function checkBatchAttempt(step: FinishedStep, runs: readonly FinishedStep[]): Violation[] {
  const { plan, run, context } = step
  const { history } = context
  const rows = step.files.batch?.rows ?? []
  const entries = plan.onRerun === 'start' ? [] : entriesOf(step)
  const undue = runs.flatMap((view) => findUndue(entries, view))
  const isChecked = plan.onRerun !== 'start' && history.cacheWorks
  const twice = isChecked ? runs.flatMap((view, index) => (runsTwice(view) ? [index] : [])) : []
  const warned = warnedCount(run.recorded.shown())
  // With a schema, a re-run may fetch a lost result and find it invalid. The next re-run starts anew.
  const again = isChecked && !plan.isChecked ? runs.filter(isStartedAgain) : []
  const repeated = isChecked ? runs.filter((view, index) => isRepeated(view, rows[index])) : []
  const names = (views: readonly FinishedStep[]) => views.map((view) => view.context.service.name)
  rememberBatch(step, runs, warned)
  return [
    ...checkNone('executions started while an earlier one may run', undue),
    ...checkNone('executions taken over from another step', step.traffic.unknownIds),
    ...check(
      twice.length <= warned,
      'more runs started twice than a re-run warns of',
      `${twice.length} runs, ${warned} in warnings: ${twice.join()}`,
    ),
    ...checkNone('successful runs started again', names(again)),
    ...checkNone('failed runs of a batch reported a second time', names(repeated)),
  ]
}

/** Returns true if an execution was started while one of an earlier attempt was running. */
function runsTwice({ traffic, context: { service, history } }: FinishedStep): boolean {
  const own = traffic.accepted
  const [first] = own.map((id) => service.executions.find(id))
  const [start] = traffic.of('start')
  if (!first || !start) return false
  if (isMissing(checksUntil(traffic, start.sentAt))) return false
  return service.executions.all.some(
    ({ id, ...earlier }) =>
      !own.includes(id) && !history.exempt.has(id) && isRunning(earlier, first.startedAt),
  )
}

/** Returns true if a successful run was started again, unless the service forgot the success. */
function isStartedAgain({ traffic, context: { history, service } }: FinishedStep): boolean {
  const [start] = traffic.of('start')
  const lasting = [...history.succeeded].filter((id) => {
    const change = service.executions.find(id)?.plan.change
    return change !== 'now failed' && change !== 'now missing'
  })
  return lasting.length > 0 && start !== undefined
}

/**
 * Returns true if the run failed in an earlier attempt, and this attempt reports the same end. A
 * failure flag without `finished` may be taken back, so that the next attempt sees another end.
 */
function isRepeated(
  { context: { history, service } }: FinishedStep,
  row: Row | undefined,
): boolean {
  const { conclusion = '', execution_id: id } = row ?? {}
  const runsAgain = service.executions.find(id ?? '')?.plan.change === 'now running'
  return failures.has(conclusion) && history.reported.get(id ?? '') === conclusion && !runsAgain
}

/** Returns the number of runs that may be running twice according to the warnings. */
function warnedCount(shown: readonly string[]): number {
  const unlimited = /could not be read|may have been started before/
  if (shown.some((line) => unlimited.test(line))) return Infinity
  const pattern = /may or may not have started (\d+) runs?:/
  const counts = shown.map((line) => pattern.exec(line)?.[1] ?? 0)
  return counts.reduce<number>((sum, count) => sum + Number(count), 0)
}

function rememberBatch(step: FinishedStep, runs: readonly FinishedStep[], warned: number): void {
  const { run, traffic, plan } = step
  const first = traffic.of('start').find(({ seen }) => isAccepted(seen))
  const isLost = !isSavedSince(first, step)
  // If all runs succeeded, the next attempt starts all runs again, except with `on-rerun: reuse`.
  const isComplete = conclusionOf(run) === 'success' && run.passed && plan.onRerun !== 'reuse'
  for (const [index, { context: own, traffic: ofRun }] of runs.entries()) {
    const row = step.files.batch?.rows?.[index]
    const ids = own.service.executions.all.map(({ id }) => id)
    // The checks of this attempt have already covered the executions that it replaced.
    const replaced =
      ofRun.accepted.length > 0 ? ids.filter((id) => id !== ofRun.accepted.at(-1)) : []
    for (const id of isLost ? ofRun.accepted : replaced) own.history.exempt.add(id)
    // One warning is enough for the executions that a killed step had started after its last save.
    const named = [...ofRun.accepted, row?.execution_id]
    const unnamed = warned === Infinity ? ids.filter((id) => !named.includes(id)) : []
    for (const id of unnamed) own.history.exempt.add(id)
    if (isComplete) {
      own.history.succeeded.clear()
      // The next attempt need not find these executions, even if one is running again by then.
      for (const { id } of own.service.executions.all) own.history.exempt.add(id)
    } else if (row?.conclusion === 'success' && row.execution_id !== null && !run.killed) {
      own.history.succeeded.add(row.execution_id)
    }
    if (row && failures.has(row.conclusion) && !run.killed) {
      own.history.reported.set(row.execution_id ?? '', row.conclusion)
    }
  }
}
