/** `uses: owner/run-automation`: starts an automation, waits for its end, hands on what it left. */
import { readRunInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { introduce, type Connect } from './connect.ts'
import { deadlineFor } from './step-deadline.ts'
import { startRun } from './starting.ts'

export async function runAutomation(step: Step, connect: Connect): Promise<Verdict> {
  const { connection, start, waiting, publishing } = await readRunInputs(step.environment)
  introduce(connection, step)
  const { service, store } = connect('run', connection)
  using deadline = deadlineFor(waiting.timeout, step)

  const began = { startedAt: step.clock.now(), startedOn: step.clock.date() }
  const delivery = await startRun(start, service, deadline, step)
  if (delivery.kind !== 'accepted') {
    if (delivery.kind === 'unknown') step.outputs.set('conclusion', 'unknown')
    const { reportUnstarted } = await import('./unstarted.ts')
    return await reportUnstarted({ start, delivery, summary: publishing.summary }, step)
  }

  const { executionId } = delivery.value
  step.outputs.set('execution-id', executionId)
  const run = { ...start, executionId, webhookGiven: start.webhook !== undefined, ...began }
  // Loaded only now: the first request went out that much earlier.
  const { followToTheEnd } = await import('./following.ts')
  return await followToTheEnd({ run, waiting, publishing, deadline, service, store }, step)
}
