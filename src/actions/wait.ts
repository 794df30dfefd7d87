/** Implements the action `wait`: waits for an existing run to end, and publishes its files. */
import type { ExecutionReport } from '../execution/execution-report.ts'
import { linksTo } from '../messages/run-link.ts'
import type { WaitInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { setCommitStatus } from './commit-status.ts'
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
  const linkOf = linksTo(inputs.dashboard)
  reportLink(linkOf(executionId), step)
  const storage = connections.openStorage(step)
  const { resultSchema } = inputs
  const subject = { begin: { executionId }, retries: 0, retryOn: new Set<never>(), resultSchema }
  const onReport = async ({ conclusion, ending, files }: ExecutionReport) => {
    step.outputs.set('finished', String(ending.kind === 'finished'))
    // A cancelled step had no time to fetch the result, so the result does not count as lost.
    const isFetched = files?.result.kind !== 'unavailable' || step.cancelled.aborted
    const isResultLost = conclusion === 'success' && !isFetched
    await setCommitStatus(inputs, { executionId, conclusion, isResultLost }, connections, step)
  }
  using deadline = openDeadline(inputs.waiting, step)
  const additions = { storage, deadline, onReport, linkOf }
  return await followAndReport(subject, inputs, connections, additions, step)
}
