/** What an attempt of a job must not do about what earlier attempts started and reported. */
import { stateAt } from './execution-plan.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { isAccepted, type Exchange } from './traffic.ts'

/** What is known of one step once its attempts so far are over. */
export class StepHistory {
  /** Executions that a later attempt finds, if the cache works. */
  readonly due = new Set<string>()
  /** Executions whose end a step has reported. */
  readonly reported = new Set<string>()
  /** Executions of attempts that were killed before their first save: no re-run can know them. */
  readonly unrecorded = new Set<string>()
  /** Executions that a batch has told as succeeded. */
  readonly succeeded = new Set<string>()
  /** Whether a later attempt of a batch finds a journal, if the cache works. */
  isDue = false
  cacheWorks = true
}

/** A run's first record is due then; one that follows another is saved at once. */
const age = 20_000
/** What two saves in a row take, with tolerance. */
const saving = 3_000
/** How long a 404 has to last. */
const grace = 30_000

export function checkAttempt(step: FinishedStep): Violation[] {
  const { plan, traffic, run, context } = step
  const { history, service } = context
  history.cacheWorks &&= traffic.cacheFaults === 0 && plan.full !== 'temp'
  const asks = plan.onRerun !== 'start'
  const id = run.recorded.output('execution-id')
  const isForeign = id !== '' && !service.executions.knows(id)
  const unknownIds = [...traffic.unknownIds, ...(isForeign ? [id] : [])]
  const isReportedAgain = reports(step) && history.reported.has(id) && plan.onRerun === 'resume'
  const beside = asks && history.cacheWorks ? besides(step) : []
  const violations = [
    ...check(!asks || isStartDue(step), 'executions started although an earlier one may run', id),
    ...check(unknownIds.length === 0, 'executions of another step taken over', unknownIds.join()),
    ...check(!isReportedAgain || !history.cacheWorks, 'ends reported a second time', id),
    ...check(beside.length === 0, 'two at once although the cache works', beside.join(', ')),
  ]
  remember(step)
  return violations
}

/** A readable record of an execution without a reported end permits a start only once it is over. */
function isStartDue({ traffic }: FinishedStep): boolean {
  const [start] = traffic.of('start')
  const isOpen = /-\d+-started-[0-9a-f]+-[0-9a-f]{32}$/.test(traffic.recordFound ?? '')
  if (!start || !isOpen) return true
  const checks = traffic.of('status').filter(({ sentAt }) => sentAt <= start.sentAt)
  const isOver = checks.some(({ seen }) => seen.kind === 'answer' && seen.record?.finished)
  return isOver || isMissing(checks)
}

/** 404 and nothing else in the end, for as long as a service may need to know of a run. */
export function isMissing(checks: readonly Exchange[]): boolean {
  const isOther = ({ seen }: Exchange) => seen.kind !== 'answer' || seen.status !== 404
  const [first] = checks.slice(checks.findLastIndex(isOther) + 1)
  const last = checks.at(-1)
  return first && last ? last.at - first.sentAt >= grace : false
}

/** Executions that were due in the cache and still ran when this attempt's first one was started. */
function besides({ traffic, context: { history, service } }: FinishedStep): string[] {
  const [started] = traffic.accepted
  const [start] = traffic.of('start')
  if (started === undefined || !start) return []
  const at = service.executions.find(started)?.startedAt ?? 0
  if (isMissing(traffic.of('status').filter(({ sentAt }) => sentAt <= start.sentAt))) return []
  return [...history.due].filter((id) => {
    const earlier = service.executions.find(id)
    return earlier && !stateAt(earlier.plan, at - earlier.startedAt).finished
  })
}

function remember(step: FinishedStep): void {
  const { traffic, run, plan, context } = step
  const { history, service } = context
  const known = traffic.of('start').at(-1)
  const delay = traffic.accepted.length > 1 || plan.action === 'start' ? saving : age + saving
  // A process that ends by itself saves what it leaves.
  const isKnown = known !== undefined && isAccepted(known.seen)
  if (isKnown && (!run.killed || run.endedAt - known.at >= delay)) {
    history.due.add(service.executions.lastId)
  }
  if (!reports(step)) return
  const id = run.recorded.output('execution-id')
  history.reported.add(id)
  // A flag that lasts counts as an end, though the service may not call it finished.
  history.due.delete(id)
}

/** Whether all of an end reached the workflow. */
function reports({ plan, run, files, context }: FinishedStep): boolean {
  const isCut = run.killed || run.cancelledAt !== undefined || run.recorded.lostOutputs > 0
  if (isCut || plan.action !== 'run') return false
  const conclusion = conclusionOf(run)
  if (conclusion === 'success') return !context.plan.result || files.copy !== undefined
  return ['error', 'container-error', 'stopped'].includes(conclusion)
}
