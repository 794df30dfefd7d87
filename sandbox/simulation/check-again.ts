/** What a batch in a job that runs again must not do about what earlier attempts started. */
import { isMissing } from './check-attempts.ts'
import { isLive } from './check-pace.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { isAccepted } from './traffic.ts'

/** A first journal is due after 20 s; the rest is what saving takes, with tolerance. */
const firstSave = 23_000

/** `runs`: of each run what the step knows of it. */
export function checkAgain(step: FinishedStep, runs: readonly FinishedStep[]): Violation[] {
  const { plan, traffic, run, context } = step
  const { history } = context
  history.cacheWorks &&= traffic.cacheFaults === 0 && plan.full !== 'temp'
  const isChecked = plan.onRerun !== 'start' && history.cacheWorks
  const doubled = isChecked ? runs.flatMap((view, index) => (isDoubled(view) ? [index] : [])) : []
  const warned = warnedOf(run.recorded.shown())
  const isExcused = warned === undefined && !history.isDue
  if (isExcused) runs.forEach(forgetUnrecorded)
  const again = isChecked ? runs.filter(isStartedAgain) : []
  remember(step, runs)
  return [
    ...check(
      isExcused || doubled.length <= (warned ?? 0),
      'more runs doubled by a re-run than its warnings say',
      `${doubled.length} of which ${warned ?? 'nothing'} was said: ${doubled.join()}`,
    ),
    ...check(
      again.length === 0,
      'runs that succeeded started again',
      again.map(({ context: { service } }) => service.name).join(),
    ),
  ]
}

/** Whether an execution was started while one of an earlier attempt of the job ran. */
function isDoubled({ traffic, context: { service, history } }: FinishedStep): boolean {
  const own = traffic.accepted
  const [first] = own.map((id) => service.executions.find(id))
  const [start] = traffic.of('start')
  if (!first || !start) return false
  if (isMissing(traffic.of('status').filter(({ sentAt }) => sentAt <= start.sentAt))) return false
  return service.executions
    .all()
    .some(
      ({ id, ...earlier }) =>
        !own.includes(id) && !history.unrecorded.has(id) && isLive(earlier, first.startedAt),
    )
}

function forgetUnrecorded({ traffic, context: { service, history } }: FinishedStep): void {
  const earlier = service.executions.all().filter(({ id }) => !traffic.accepted.includes(id))
  for (const { id } of earlier) history.unrecorded.add(id)
}

/** Unless the service says by now that it failed, or does not know it any more. */
function isStartedAgain({ traffic, context: { history, service } }: FinishedStep): boolean {
  const [start] = traffic.of('start')
  const lasting = [...history.succeeded].filter((id) => {
    const change = service.executions.find(id)?.plan.change
    return change !== 'failed since' && change !== 'gone since'
  })
  return lasting.length > 0 && start !== undefined
}

/** How many runs a re-run says may be doubled; undefined where it found no record. */
function warnedOf(shown: readonly string[]): number | undefined {
  if (shown.some((line) => line.includes('could not be read'))) return Infinity
  if (shown.some((line) => line.includes('no earlier attempt of this job left'))) return undefined
  const patterns = [/may or may not have started (\d+) runs?:/, /Up to (\d+) of \d+ runs? may/]
  const counts = shown.flatMap((line) => patterns.map((pattern) => pattern.exec(line)?.[1] ?? 0))
  return counts.reduce<number>((sum, count) => sum + Number(count), 0)
}

function remember(step: FinishedStep, runs: readonly FinishedStep[]): void {
  const { run, traffic, plan, context } = step
  const first = traffic.of('start').find(({ seen }) => isAccepted(seen))
  const isSaved = first && (!run.killed || run.endedAt - first.at >= firstSave)
  context.history.isDue ||= isSaved === true
  // What all succeeded is over: another attempt starts all anew.
  const isOver = conclusionOf(run) === 'success' && run.passed && plan.onRerun !== 'reuse'
  for (const [index, { context: own }] of runs.entries()) {
    const row = step.files.batch?.rows?.[index]
    if (isOver) own.history.succeeded.clear()
    else if (row?.conclusion === 'success' && row.execution_id !== null && !run.killed) {
      own.history.succeeded.add(row.execution_id)
    }
  }
}
