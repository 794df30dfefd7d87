/** Checks the order of the commit statuses, and that the last status agrees with the run. */
import { outcomeOf } from './execution-plan.ts'
import { conclusionOf, isResultLost, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'

export function checkCommitStatus(step: FinishedStep): Violation[] {
  const { traffic, run } = step
  const states = traffic.statuses.map(({ state }) => state).join(', ')
  const warnings = run.recorded.annotations.filter(
    ({ level, text }) => level === 'warning' && text.startsWith('The commit status '),
  )
  return [
    ...check(isInOrder(step), 'commit statuses out of order', states),
    ...check(warnings.length <= 1, 'commit statuses out of order', `${warnings.length} warnings`),
    ...check(
      isRight(step),
      'commit statuses that contradict the conclusion',
      `${states} after ${conclusionOf(run) || step.plan.action}`,
    ),
  ]
}

/** Returns false if statuses overlap, follow a refusal, or return to `pending`. */
function isInOrder({ traffic: { statuses } }: FinishedStep): boolean {
  return statuses.slice(1).every(({ state, sentAt }, index) => {
    const before = statuses[index]
    if (!before) return true
    const isStepBack = state === 'pending' && before.state !== 'pending'
    return sentAt >= before.at && !isRefusal(before.answer) && !isStepBack
  })
}

function isRight(step: FinishedStep): boolean {
  const { run, traffic } = step
  const last = traffic.statuses.at(-1)
  if (!last) return true
  // After a refusal, no status is sent. A cancelled step may have no time for the final status.
  const mayStayPending = isRefusal(last.answer) || run.cancelledAt !== undefined
  if (last.state === 'pending' && mayStayPending) return true
  return statesFor(step).includes(last.state)
}

function isRefusal(answer = 0): boolean {
  return answer >= 400 && answer < 500
}

const statesByConclusion: Readonly<Record<string, readonly string[]>> = {
  error: ['failure'],
  'container-error': ['failure'],
  stopped: ['failure'],
  'invalid-result': ['failure'],
  unknown: ['error'],
  'timed-out': ['pending'],
  refused: [],
  'not-started': [],
}

/** Returns the states that the last status may have. */
function statesFor(step: FinishedStep): readonly string[] {
  const { plan, run } = step
  if (plan.action === 'start') return statesAfterStart(step)
  const conclusion = conclusionOf(run)
  if (conclusion === 'success') {
    // A cancelled step may not fetch a file. Such a file does not count as lost.
    if (run.cancelledAt !== undefined) return ['success', 'error']
    return isResultLost(step) ? ['error'] : ['success']
  }
  // The execution may have ended before the step was cancelled.
  if (conclusion === 'cancelled') return ['pending', ...statesByRecord(step)]
  return statesByConclusion[conclusion] ?? ['success', 'failure', 'error', 'pending']
}

function statesAfterStart(step: FinishedStep): readonly string[] {
  const { run, traffic } = step
  if (run.recorded.output('execution-id') === '') return ['error']
  if (run.recorded.output('resumed') !== 'true') return ['pending']
  if ([401, 403].includes(traffic.of('status').at(-1)?.seen.status ?? 0)) return ['error']
  return statesByRecord(step)
}

/** Returns the states that the last valid answer of the service allows. */
function statesByRecord({ traffic, plan }: FinishedStep): readonly string[] {
  const record = traffic.of('status').findLast(({ seen }) => seen.record)?.seen.record
  if (!record) return ['pending']
  const isSuccess = outcomeOf(record) === 'success'
  // In the simulation, no result is valid against a schema.
  if (record.finished) return [isSuccess && !plan.isChecked ? 'success' : 'failure']
  // A flag without `finished` may disappear again.
  return isSuccess ? ['pending'] : ['pending', 'failure']
}
