/** `uses: owner/run-automation/start`: starts an automation, hands over its execution id. */
import { Deadline } from '../clock.ts'
import { readStartInputs } from '../runner/inputs/read.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { longestSend } from '../service/send-at-most-once.ts'
import { introduce, type Connect } from './connect.ts'
import { messageOutput } from '../messages/message-output.ts'
import { startRun } from './starting.ts'
import { reportUnstarted } from './unstarted.ts'

export async function startAutomation(step: Step, connect: Connect): Promise<Verdict> {
  const { connection, start } = await readStartInputs(step.environment)
  introduce(connection, step)
  const { service } = connect('start', connection)
  using deadline = new Deadline(step.clock, longestSend, step.cancelled)

  const delivery = await startRun(start, service, deadline, step)
  if (delivery.kind !== 'accepted')
    return await reportUnstarted({ start, delivery, summary: false }, step)

  const { executionId, message } = delivery.value
  step.outputs.set('execution-id', executionId)
  step.outputs.set('message', messageOutput(message, step))
  return passed
}
