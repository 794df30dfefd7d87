/** Checks that a step sets at most one commit status, which agrees with the run. */
import { outcomeOf } from './execution-plan.ts'
import { conclusionOf, isResultLost, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { isFinalRefusal, lastRecord } from './proven-by-checks.ts'
import { refusesCredentials } from './traffic.ts'

export function checkCommitStatus(step: FinishedStep): Violation[] {
  const { traffic, run, plan } = step
  const states = traffic.statuses.join(', ')
  const warnings = run.recorded.annotations.filter(
    ({ level, text }) => level === 'warning' && text.startsWith('The commit status '),
  )
  const isOnce = traffic.statuses.length <= 1 && warnings.length <= 1
  const isRight = traffic.statuses.every((state) => statesFor(step).includes(state))
  return [
    ...check(
      isOnce,
      'more than one commit status of a step',
      `${states}, ${warnings.length} warnings`,
    ),
    ...check(
      isRight,
      'commit statuses that contradict the conclusion',
      `${states} after ${conclusionOf(run) || plan.action}`,
    ),
  ]
}

const statesByConclusion: Readonly<Record<string, readonly string[]>> = {
  error: ['failure'],
  'container-error': ['failure'],
  stopped: ['failure'],
  'invalid-result': ['failure'],
  unknown: ['error'],
  'timed-out': [],
  refused: [],
  'not-started': [],
}

/** Returns the states that the commit status may have. */
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
  if (conclusion === 'cancelled') return statesByRecord(step).filter((state) => state !== 'pending')
  return statesByConclusion[conclusion] ?? ['success', 'failure', 'error']
}

function statesAfterStart(step: FinishedStep): readonly string[] {
  const { run, traffic } = step
  if (run.recorded.output('execution-id') === '') return ['error']
  if (run.recorded.output('resumed') !== 'true') return ['pending']
  const checks = traffic.of('status')
  if (refusesCredentials(checks.at(-1)?.seen) && isFinalRefusal(checks)) return ['error']
  return statesByRecord(step)
}

/** Returns the states that the last valid answer of the service allows. */
function statesByRecord({ traffic, plan }: FinishedStep): readonly string[] {
  const record = lastRecord(traffic.of('status'))
  if (!record) return ['pending']
  const isSuccess = outcomeOf(record) === 'success'
  // In the simulation, no result is valid against a schema.
  if (record.finished) return [isSuccess && !plan.isChecked ? 'success' : 'failure']
  // A flag without `finished` may disappear again.
  return isSuccess ? ['pending'] : ['pending', 'failure']
}
