/** `uses: owner/run-automation`: starts an automation, waits for its end, hands on what it left. */
import { describeKnown, describeStart } from '../messages/progress.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { followAndReport, openDeadline } from './follow-and-report.ts'
import { linkReporter } from './link.ts'

export async function runAutomation(
  inputs: RunInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { start, retrying } = inputs
  const connections = connect('run', inputs.connection)
  const { service } = connections
  const storage = connections.openStorage(step)
  await using recorder = await openRecorder(inputs, storage, step)
  const { resultSchema } = retrying
  using deadline = openDeadline(inputs.waiting, step)
  const time = { deadline, once: inputs.waiting.timeout === 0 }
  const onRerun = recorder.rerunMode
  const context = { waiting: 'waits', recorder, service, resultSchema, time } as const
  // Loaded where the job runs again: a first start need not wait for it.
  const earlier = onRerun
    ? await (await import('./earlier-runs.ts')).findEarlier({ ...context, onRerun }, step)
    : ({ action: 'start' } as const)
  logServiceAddress(inputs.connection, step)
  const reportLink = linkReporter(inputs.dashboard, start, step)
  const keeping = { storage, deadline, recorder, reportLink }
  if (earlier.action === 'start') {
    step.outputs.set('resumed', 'false')
    step.log.title('Start')
    step.log.info(describeStart(start))
    return await followAndReport({ begin: start, ...retrying }, inputs, connections, keeping, step)
  }
  const { executionId, ending, isKept, leftResult } = earlier
  step.log.info(describeKnown({ ...start, executionId }))
  reportLink(executionId)
  const begin = { executionId, ending, isKept, leftResult }
  const subject = { begin, request: start, ...retrying }
  return await followAndReport(subject, inputs, connections, keeping, step)
}
