/** `uses: owner/run-automation`: starts an automation, waits for its end, hands on what it left. */
import { describeKnown, describeStart } from '../messages/progress.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { findEarlier, openRecorder } from './again.ts'
import { introduce, type Connect } from './connect.ts'
import { followAndReport } from './follow-and-report.ts'

export async function runAutomation(
  inputs: RunInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const connections = connect('run', inputs.connection)
  const storage = connections.openStorage(step)
  await using recorder = openRecorder(inputs, storage, step)
  const earlier = await findEarlier('run', inputs, recorder, connections.service, step)
  introduce(inputs.connection, step)
  const keeping = { storage, recorder }
  const { start, retrying } = inputs
  if (earlier.course === 'start') {
    step.outputs.set('resumed', 'false')
    step.log.title('Start')
    step.log.info(describeStart(start))
    return await followAndReport({ begin: start, ...retrying }, inputs, connections, keeping, step)
  }
  const { executionId } = earlier
  const ending = earlier.course === 'follow' ? earlier.ending : undefined
  step.log.info(describeKnown({ ...start, executionId }))
  const subject = { begin: { executionId, ending }, request: start, ...retrying }
  return await followAndReport(subject, inputs, connections, keeping, step)
}
