/** Checks how a step ends: passed or failed, with one annotation, in time. */
import { shouldBatchPass } from './check-accounts.ts'
import { missingOf } from './check-copies.ts'
import { outcomeOf } from './execution-plan.ts'
import { conclusionOf, deadlineOf, type FinishedStep } from './finished-step.ts'
import type { StepPlan } from './step-plan.ts'
import { check, type Violation } from './invariants.ts'

/** A start in flight may take 2 s more, and so may the last check. */
const grace = 4_000
/** A start in flight may take 2 s more. */
const graceAfterCancel = 2_000
/**
 * Milliseconds to fetch the files of one execution. Links may be refreshed for a minute, and a
 * download that still receives bytes may take ten more minutes.
 */
export const fetching = 60_000 + 600_000
/** Setting `pending` and then the verdict on the commit may take 10 s each. */
const showing = 20_000
/** A record that is not saved within 3 s is given up. */
const saving = 3_000

export function checkEnding(step: FinishedStep): Violation[] {
  const { run, traffic, context } = step
  const { hung, bug, passed, recorded } = run
  const { sleeping } = context.clock
  if (hung !== undefined) return [{ invariant: 'steps that never end', why: hung }]
  const { errors } = recorded
  return [
    ...check(bug === undefined, 'bugs', bug instanceof Error ? (bug.stack ?? '') : String(bug)),
    ...check(
      errors === (passed ? 0 : 1),
      'failures without exactly one annotation',
      `${errors} on a step that ${passed ? 'passed' : 'failed'}`,
    ),
    ...check(sleeping === 0, 'timers left running', String(sleeping)),
    ...traffic.requestFaults.map((why): Violation => ({
      invariant: 'requests that are not as documented',
      why,
    })),
    ...checkPassing(step),
    ...checkTime(step),
  ]
}

function checkPassing(step: FinishedStep): Violation[] {
  const { passed } = step.run
  const expected = shouldPass(step)
  const why = conclusionOf(step.run)
  return [
    ...check(!passed || expected, 'steps that pass although they failed', why),
    ...check(passed || !expected, 'steps that fail without a reason', why),
  ]
}

function shouldPass(step: FinishedStep): boolean {
  const { plan, run, traffic } = step
  const { recorded } = run
  if (recorded.lostOutputs > 0) return false
  if (plan.action === 'start') {
    const isCancelled = run.cancelledAt !== undefined
    return recorded.output('execution-id') !== '' && !isRefused(step) && !isCancelled
  }
  if (plan.action === 'create-project') {
    const created = recorded.output('created')
    const exists = traffic
      .of('create-project')
      .some(({ seen }) => seen.proper && seen.status === 400)
    return created === 'true' || (created === 'false' && exists && plan.ifExists === 'skip')
  }
  if (plan.action === 'batch') return shouldBatchPass(step)
  const conclusion = conclusionOf(run)
  if (conclusion === 'success') return missingOf(step).length === 0
  return optional.has(conclusion) && !plan.failOn.includes(conclusion)
}

/** `start` fails if it takes over an earlier execution and may not see its status. */
function isRefused({ run, traffic }: FinishedStep): boolean {
  const seen = traffic.of('status').at(-1)?.seen
  return run.recorded.output('resumed') === 'true' && [401, 403].includes(seen?.status ?? 0)
}

/** Conclusions that fail a step only if `fail-on` names them. */
const optional = new Set(['error', 'container-error', 'stopped', 'timed-out'])

/**
 * Returns how many executions are fetched one after the other. A batch fetches eight at once. A
 * single run is fetched before its retry, outside of `timeout`.
 */
export function turnsToFetch({ batch }: StepPlan, executions: number): number {
  return batch ? Math.ceil(batch.seeds.length / 8) : Math.max(1, executions)
}

function sawEnd({ traffic }: FinishedStep): boolean {
  return traffic
    .of('status')
    .some(({ seen: { record } }) => record && (record.finished || outcomeOf(record) !== 'success'))
}

function checkTime(step: FinishedStep): Violation[] {
  const { run, traffic, plan } = step
  const { endedAt, cancelledAt } = run
  const isResumed = run.recorded.output('resumed') === 'true'
  const executions = traffic.accepted.length + (isResumed ? 1 : 0)
  const turns = sawEnd(step) ? turnsToFetch(plan, executions) : 0
  // A download that still receives bytes may finish.
  const deadline = Math.max(deadlineOf(step) + grace, traffic.lastByteAt) + turns * fetching
  const shown = deadline + (traffic.statuses.length > 0 ? showing : 0)
  const end = Math.min(shown, (cancelledAt ?? Infinity) + graceAfterCancel)
  const limit = end + (run.killed ? 0 : saving)
  return check(endedAt <= limit, 'steps that end late', `by ${endedAt - limit} ms`)
}
