/** `uses: owner/run-automation`: starts an automation, waits for its end, hands on what it left. */
import { readRunInputs } from '../github/inputs/read.ts'
import type { Step, Verdict } from '../github/step.ts'
import type { Connect } from './connect.ts'
import { deadlineFor } from './step-deadline.ts'
import { notStarted, startRun, unclearStart } from './starting.ts'

export async function runAutomation(step: Step, connect: Connect): Promise<Verdict> {
  const { connection, start, waiting, publishing } = await readRunInputs(step.environment)
  const { service, store } = connect('run', connection)
  using deadline = deadlineFor(waiting.timeout, step)

  // Not needed before the start is accepted: the first request goes out that much earlier.
  const following = import('./following.ts')

  const startedAt = step.clock.now()
  const delivery = await startRun(start, service, deadline, step)
  if (delivery.kind === 'refused') throw notStarted(start, delivery.failure, step)
  if (delivery.kind === 'unclear') {
    step.outputs.set('conclusion', 'unknown')
    return unclearStart(start, delivery.failure, step)
  }

  const { executionId } = delivery.value
  step.outputs.set('execution-id', executionId)
  const run = { ...start, executionId, webhookGiven: start.webhook !== undefined, startedAt }
  const { followToTheEnd } = await following
  return await followToTheEnd({ run, waiting, publishing, deadline, service, store }, step)
}
