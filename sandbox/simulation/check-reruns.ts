/** Checks how an attempt of a job treats the executions of earlier attempts. */
import { missingOf } from './check-copies.ts'
import { isLive } from './check-pace.ts'
import { stateAt } from './execution-plan.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { isAccepted, type Exchange } from './traffic.ts'

/** Milliseconds after which the first record is saved. Later records are saved at once. */
const age = 20_000
/** Milliseconds that two saves in a row take at most. */
const saving = 3_000
/** Milliseconds that a 404 must last. */
const grace = 30_000

export function checkAttempt(step: FinishedStep): Violation[] {
  const { plan, traffic, run, context } = step
  const { history, service } = context
  const asks = plan.onRerun !== 'start'
  const id = run.recorded.output('execution-id')
  const isForeign = id !== '' && !service.executions.find(id)
  const asked = askedBeside(step)
  const takenTwice = [...traffic.asked].filter((one) => asked.has(one))
  const unknownIds = [...traffic.unknownIds, ...takenTwice, ...(isForeign ? [id] : [])]
  const isReportedAgain = reports(step) && history.reported.has(id) && plan.onRerun === 'resume'
  const beside = asks && history.cacheWorks ? besides(step) : []
  return [
    ...check(!asks || isStartDue(step), 'executions started although an earlier one may run', id),
    ...check(unknownIds.length === 0, 'executions of another step taken over', unknownIds.join()),
    ...check(!isReportedAgain || !history.cacheWorks, 'ends reported a second time', id),
    ...check(beside.length === 0, 'two at once although the cache works', beside.join(', ')),
  ]
}

/** Must be called for all steps of an attempt before one of them is checked. */
export function noteCache({ plan, traffic, context: { history } }: FinishedStep): void {
  history.cacheWorks &&= traffic.cacheFaults === 0 && plan.full !== 'temp'
}

/** If the end of a recorded execution was not reported, no start may come before that end. */
function isStartDue({ traffic }: FinishedStep): boolean {
  const [start] = traffic.of('start')
  const isOpen = /-\d+-started(-left)?-[0-9a-f]+-[0-9a-f]{32}$/.test(traffic.recordFound ?? '')
  if (!start || !isOpen) return true
  const checks = traffic.of('status').filter(({ sentAt }) => sentAt <= start.sentAt)
  const isOver = checks.some(({ seen }) => seen.record?.finished)
  return isOver || isMissing(checks)
}

/** True if the last checks were 404 for so long that the execution counts as missing. */
export function isMissing(checks: readonly Exchange[]): boolean {
  const lastOther = checks.findLastIndex(({ seen }) => seen.status !== 404)
  const [first] = checks.slice(lastOther + 1)
  const last = checks.at(-1)
  return first && last ? last.at - first.sentAt >= grace : false
}

/** Returns the ids that equal steps at the same time have checked. */
function askedBeside({ atOnce, traffic }: FinishedStep): Set<string> {
  const others = atOnce.filter((other) => other.traffic !== traffic)
  return new Set(others.flatMap((other) => [...other.traffic.asked]))
}

/**
 * Returns executions that the cache must have and that were still running when this attempt started
 * its first one. Executions that equal steps follow, or had no time to find, are left out.
 */
function besides(step: FinishedStep): string[] {
  const { traffic, context, atOnce } = step
  const { history, service } = context
  const [started] = traffic.accepted
  const [start] = traffic.of('start')
  if (started === undefined || !start) return []
  const at = service.executions.find(started)?.startedAt ?? 0
  if (isMissing(traffic.of('status').filter(({ sentAt }) => sentAt <= start.sentAt))) return []
  const asked = askedBeside(step)
  const left = [...history.due].filter((id) => {
    const earlier = service.executions.find(id)
    const runs = earlier && !stateAt(earlier.plan, at - earlier.startedAt).finished
    return runs && !asked.has(id)
  })
  const isIdle = (other: (typeof atOnce)[number]) =>
    other.traffic.asked.size === 0 && other.traffic.of('start').length === 0
  return left.slice(atOnce.filter(isIdle).length)
}

/** Remembers what the next attempt must find. Call it after all equal steps were checked. */
export function rememberAttempt(step: FinishedStep): void {
  const { traffic, run, plan, context } = step
  const { history } = context
  const known = traffic.of('start').at(-1)
  const last = traffic.accepted.at(-1)
  const isAtOnce = traffic.accepted.length > 1 || plan.action === 'start'
  if (last && known && isAccepted(known.seen) && isSavedSince(known, step, isAtOnce)) {
    history.due.add(last)
  }
  if (!reports(step)) return
  const id = run.recorded.output('execution-id')
  history.reported.add(id)
  // A lasting flag counts as an end, also without `finished`.
  history.due.delete(id)
}

/** A process that ends by itself saves its record. A killed process needed enough time before. */
function isSavedSince(
  start: Exchange | undefined,
  { run, traffic }: FinishedStep,
  isAtOnce = false,
): boolean {
  if (!run.killed) return true
  const hasOlder = isAtOnce || traffic.recordFound !== undefined
  return run.endedAt - (start?.at ?? Infinity) >= (hasOlder ? saving : age + saving)
}

/** True if the end was reported. Files that the automation does not keep do not matter. */
function reports(step: FinishedStep): boolean {
  const { plan, run, context } = step
  const isCut = run.killed || run.cancelledAt !== undefined || run.recorded.lostOutputs > 0
  if (isCut || plan.action !== 'run') return false
  const conclusion = conclusionOf(run)
  if (conclusion === 'success') return missingOf(step).every((kind) => !context.plan[kind])
  return ['error', 'container-error', 'stopped', 'invalid-result'].includes(conclusion)
}

/** The same checks for a batch. `runs`: one view of the step for each run. */
export function checkBatchAttempt(step: FinishedStep, runs: readonly FinishedStep[]): Violation[] {
  const { plan, run, context } = step
  const { history } = context
  const isChecked = plan.onRerun !== 'start' && history.cacheWorks
  const doubled = isChecked ? runs.flatMap((view, index) => (isDoubled(view) ? [index] : [])) : []
  const warned = warnedOf(run.recorded.shown())
  // With a schema, a success whose result was lost may prove invalid and start a new run.
  const again = isChecked && !plan.isChecked ? runs.filter(isStartedAgain) : []
  rememberBatch(step, runs)
  return [
    ...check(
      doubled.length <= warned,
      'more runs doubled by a re-run than its warnings say',
      `${doubled.length} of which ${warned} was said: ${doubled.join()}`,
    ),
    ...check(
      again.length === 0,
      'runs that succeeded started again',
      again.map(({ context: { service } }) => service.name).join(),
    ),
  ]
}

/** True if an execution was started while an execution of an earlier attempt was running. */
function isDoubled({ traffic, context: { service, history } }: FinishedStep): boolean {
  const own = traffic.accepted
  const [first] = own.map((id) => service.executions.find(id))
  const [start] = traffic.of('start')
  if (!first || !start) return false
  if (isMissing(traffic.of('status').filter(({ sentAt }) => sentAt <= start.sentAt))) return false
  return service.executions.all.some(
    ({ id, ...earlier }) =>
      !own.includes(id) && !history.unasked.has(id) && isLive(earlier, first.startedAt),
  )
}

/** True if a run was started again although the service still says that it has succeeded. */
function isStartedAgain({ traffic, context: { history, service } }: FinishedStep): boolean {
  const [start] = traffic.of('start')
  const lasting = [...history.succeeded].filter((id) => {
    const change = service.executions.find(id)?.plan.change
    return change !== 'failed since' && change !== 'gone since'
  })
  return lasting.length > 0 && start !== undefined
}

/** Returns how many runs may be running twice, as the warnings of a re-run say. */
function warnedOf(shown: readonly string[]): number {
  if (shown.some((line) => line.includes('could not be read'))) return Infinity
  const patterns = [/may or may not have started (\d+) runs?:/, /Up to (\d+) of \d+ runs? may/]
  const counts = shown.flatMap((line) => patterns.map((pattern) => pattern.exec(line)?.[1] ?? 0))
  return counts.reduce<number>((sum, count) => sum + Number(count), 0)
}

function rememberBatch(step: FinishedStep, runs: readonly FinishedStep[]): void {
  const { run, traffic, plan } = step
  const first = traffic.of('start').find(({ seen }) => isAccepted(seen))
  const isLost = !isSavedSince(first, step)
  // If all runs succeeded, the next attempt starts all runs again.
  const isOver = conclusionOf(run) === 'success' && run.passed && plan.onRerun !== 'reuse'
  for (const [index, { context: own, traffic: ofRun }] of runs.entries()) {
    const row = step.files.batch?.rows?.[index]
    const ids = own.service.executions.all.map(({ id }) => id)
    // Executions that this attempt has replaced were checked here, with its warnings.
    const replaced =
      ofRun.accepted.length > 0 ? ids.filter((id) => id !== ofRun.accepted.at(-1)) : []
    for (const id of isLost ? ofRun.accepted : replaced) own.history.unasked.add(id)
    if (isOver) {
      own.history.succeeded.clear()
      // Even if the service says later that one of them is still running.
      for (const { id } of own.service.executions.all) own.history.unasked.add(id)
    } else if (row?.conclusion === 'success' && row.execution_id !== null && !run.killed) {
      own.history.succeeded.add(row.execution_id)
      const checks = ofRun.of('status')
      if (checks.some(({ seen }) => typeof seen.record?.result_url === 'string'))
        own.history.hadResult.add(row.execution_id)
    }
  }
}
