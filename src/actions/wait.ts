/** Implements the action `wait`: waits for an existing run to end, and publishes its files. */
import type { ExecutionReport } from '../execution/execution-report.ts'
import { linksTo } from '../messages/run-link.ts'
import type { WaitInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { isResultLost, setCommitStatus } from './commit-status.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { followAndReport, openDeadline } from './follow-and-report.ts'
import { reportLink } from './progress.ts'

export async function waitForExecution(
  inputs: WaitInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { executionId } = inputs
  logServiceAddress(inputs.connection, step)
  step.log.info(`Execution ${executionId}`)
  const connections = connect('wait', inputs.connection)
  step.outputs.set('execution-id', executionId)
  const linkOf = linksTo(inputs.dashboard, {})
  reportLink(linkOf(executionId), step)
  const storage = connections.openStorage(step)
  const { resultSchema } = inputs.checking
  const subject = { begin: { executionId }, retries: 0, retryOn: new Set<never>(), resultSchema }
  const onReport = async (report: ExecutionReport) => {
    const { conclusion, ending, duration } = report
    step.outputs.set('finished', String(ending.kind === 'finished'))
    const isLost = isResultLost(report, step)
    const facts = { executionId, conclusion, duration, isResultLost: isLost }
    await setCommitStatus(inputs.commitStatus, 'wait', facts, connections, step)
  }
  using deadline = openDeadline(inputs.waiting, step)
  const additions = { storage, deadline, onReport, linkOf }
  return await followAndReport(subject, inputs, connections, additions, step)
}
