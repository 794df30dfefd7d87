/** `uses: owner/run-automation`: starts an automation, waits for its end, hands on what it left. */
import { describeKnown, describeStart } from '../messages/progress.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { MissingCopy } from '../messages/loss.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { missingOf, RunStatus } from './commit-status.ts'
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
  const status = new RunStatus({ given: inputs.commitStatus, action: 'run', connections, step })
  const additions = {
    storage,
    deadline,
    recorder,
    reportLink,
    onStarted: (id: string) => status.running(id),
    onReport: async (report: ExecutionReport, missingCopies: readonly MissingCopy[]) => {
      // No execution exists, or none is known to this step.
      if (report.ending.kind === 'not-started') return
      const { executionId, conclusion, duration } = report
      const missing = missingOf(report, missingCopies, step)
      await status.ended({ executionId, conclusion, duration, missing })
    },
  }
  if (earlier.action === 'start') {
    step.outputs.set('resumed', 'false')
    step.log.title('Start')
    step.log.info(describeStart(start))
    return await followAndReport(
      { begin: start, ...retrying },
      inputs,
      connections,
      additions,
      step,
    )
  }
  const { executionId, ending, isKept, leftResult } = earlier
  step.log.info(describeKnown({ ...start, executionId }))
  reportLink(executionId)
  if (!ending) status.running(executionId)
  const begin = { executionId, ending, isKept, leftResult }
  const subject = { begin, request: start, ...retrying }
  return await followAndReport(subject, inputs, connections, additions, step)
}
