/** `uses: owner/run-automation/start`: starts an automation, hands over its execution id. */
import { Deadline } from '../clock.ts'
import { readStartInputs } from '../github/inputs/read.ts'
import { passed, type Step, type Verdict } from '../github/step.ts'
import { longestDelivery } from '../service/resend.ts'
import { introduce, type Connect } from './connect.ts'
import { messageOutput } from './message-output.ts'
import { startRun } from './starting.ts'
import { reportUnstarted } from './unstarted.ts'

export async function startAutomation(step: Step, connect: Connect): Promise<Verdict> {
  const { connection, start } = await readStartInputs(step.environment)
  introduce(connection, step)
  const { service } = connect('start', connection)
  using deadline = new Deadline(step.clock, longestDelivery, step.cancelled)

  const delivery = await startRun(start, service, deadline, step)
  if (delivery.kind !== 'accepted')
    return await reportUnstarted({ start, delivery, summary: false }, step)

  const { executionId, message } = delivery.value
  step.outputs.set('execution-id', executionId)
  step.outputs.set('message', messageOutput(message, step))
  return passed
}
