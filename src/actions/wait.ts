/** `uses: owner/run-automation/wait`: waits for a run started elsewhere, hands on what it left. */
import { readWaitInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { introduce, type Connect } from './connect.ts'
import { deadlineFor } from './step-deadline.ts'

export async function waitForExecution(step: Step, connect: Connect): Promise<Verdict> {
  const { connection, executionId, waiting, publishing } = await readWaitInputs(step.environment)
  introduce(connection, step)
  step.log.info(`Execution ${executionId}`)
  const { service, store } = connect('wait', connection)
  using deadline = deadlineFor(waiting.timeout, step)

  step.outputs.set('execution-id', executionId)
  const run = { executionId, startedAt: step.clock.now(), startedOn: step.clock.date() }
  const { followToTheEnd } = await import('./following.ts')
  return await followToTheEnd({ run, waiting, publishing, deadline, service, store }, step)
}
