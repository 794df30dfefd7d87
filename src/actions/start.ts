/** `uses: owner/run-automation/start`: starts an automation, hands over its execution id. */
import { Deadline } from '../clock.ts'
import { startExecution } from '../execution/start-execution.ts'
import { describeFailure } from '../messages/annotation.ts'
import { messageOutput } from '../messages/message-output.ts'
import { describeStart } from '../messages/progress.ts'
import type { StartInputs } from '../runner/inputs/read.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { sendTimeout } from '../service/send-at-most-once.ts'
import { introduce, type Connect } from './connect.ts'
import { failureOfStart } from './failure.ts'
import { tellStart } from './progress.ts'

export async function startAutomation(
  { connection, start }: StartInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  introduce(connection, step)
  const { service } = connect('start', connection)
  const { clock, random, cancelled } = step
  using deadline = new Deadline(clock, sendTimeout, cancelled)
  step.log.title('Start')
  step.log.info(describeStart(start))

  const started = await startExecution(start, deadline, { service, clock, random }, tellStart(step))
  if (started.kind !== 'accepted') {
    const show = (text: string) => step.secrets.show(text)
    const failure = failureOfStart(started, step)
    const annotation = describeFailure(failure, { automation: start.automation }, {}, show)
    step.log.verdict(annotation.title, false)
    return { kind: 'failed', annotation }
  }
  step.outputs.set('message', messageOutput(started.value.message, step))
  return passed
}
