/** Implements the root action: starts an automation, waits for its end, and publishes its files. */
import { describeKnown, describeStart } from '../messages/progress.ts'
import { linksTo } from '../messages/run-link.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { findEarlier } from './earlier-runs.ts'
import { followAndReport, openDeadline } from './follow-and-report.ts'
import { reportLink } from './progress.ts'

export async function runAutomation(
  inputs: RunInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { start, retrying } = inputs
  const connections = connect('run', inputs.connection)
  const { service } = connections
  const storage = connections.openStorage(step)
  await using recorder = openRecorder(inputs, storage, step)
  using deadline = openDeadline(inputs.waiting, step)
  const context = { kind: 'waits', recorder, service, deadline } as const
  const earlier = await findEarlier(context, step)
  logServiceAddress(inputs.connection, step)
  const linkOf = linksTo(inputs.dashboard)
  const additions = { storage, deadline, recorder, linkOf }
  if (earlier.action === 'start') {
    step.outputs.set('resumed', 'false')
    step.log.title('Start')
    step.log.info(describeStart(start))
    const subject = { begin: start, ...retrying }
    return await followAndReport(subject, inputs, connections, additions, step)
  }
  const { executionId, ending, before } = earlier
  step.log.info(describeKnown(start.project, start.automation, executionId))
  reportLink(linkOf(executionId), step)
  const begin = { executionId, ending, before }
  const subject = { begin, request: start, ...retrying }
  return await followAndReport(subject, inputs, connections, additions, step)
}
