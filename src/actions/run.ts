/** `uses: owner/run-automation`: starts an automation, waits for its end, hands on what it left. */
import { describeStart } from '../messages/progress.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { introduce, type Connect } from './connect.ts'
import { followAndReport } from './follow-and-report.ts'

export async function runAutomation(
  inputs: RunInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  introduce(inputs.connection, step)
  const connections = connect('run', inputs.connection)
  step.log.title('Start')
  step.log.info(describeStart(inputs.start))
  const subject = { begin: inputs.start, ...inputs.retrying }
  return followAndReport(subject, inputs, connections, step)
}
