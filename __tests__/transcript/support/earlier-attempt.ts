/** What an earlier attempt of a job left, and the log of the attempt that comes upon it. */
import type { StepResult } from '../../../sandbox/runner/runner.ts'
import type { ScriptedStatus } from '../../../sandbox/service/status-record.ts'
import { requestsOf } from '../../action/support/facts.ts'
import { runPastTimeout } from '../../action/support/past-timeout.ts'
import { until } from '../../action/support/until.ts'
import { cutOff, openWorkflowRun, type WorkflowRun } from '../../action/support/workflow-run.ts'

export type Action = 'run' | 'start'

/** Of the action, for each attempt; `with:` where it is the same in all of them. */
export function scenarioOf(action: Action, inputs: Record<string, string> = {}) {
  return { ...(action === 'start' && { action }), inputs }
}

/**
 * A workflow run whose first attempt started an execution and was cut off, so that nobody was told
 * its end. `course`: what the service says of it afterwards.
 */
export async function openUntold(
  action: Action,
  ...course: ScriptedStatus[]
): Promise<WorkflowRun> {
  const run = await openWorkflowRun()
  const looks = action === 'run' ? [{}] : []
  run.sandbox.script('next', [...looks, ...course])
  await leave(run.attempt(1, { ...scenarioOf(action), ...(looks[0] && cutOff) }))
  return run
}

/** An earlier attempt, of which only what it leaves behind matters. */
export async function leave(attempt: Promise<StepResult>): Promise<void> {
  const step = await attempt
  await step[Symbol.asyncDispose]()
}

/** The second attempt, for which 30 s are over as soon as it has asked for the execution. */
export async function afterHalfAMinute(run: WorkflowRun, action: Action): Promise<StepResult> {
  run.sandbox.requests.length = 0
  const asked = () => until(() => requestsOf(run.sandbox, 'status').length > 0)
  return runPastTimeout(run.scenario(2, scenarioOf(action)), asked, 31_000)
}
