/** `uses: owner/run-automation/wait`: waits for a run started elsewhere, hands on what it left. */
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { StatusFacts } from '../messages/commit-status.ts'
import type { MissingCopy } from '../messages/loss.ts'
import type { WaitInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { setCommitStatus } from './commit-status.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { followAndReport, openDeadline } from './follow-and-report.ts'
import { linkReporter } from './link.ts'

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
  const reportLink = linkReporter(inputs.dashboard, {}, step)
  reportLink(executionId)
  const storage = connections.openStorage(step)
  const { resultSchema } = inputs.checking
  const subject = { begin: { executionId }, retries: 0, retryOn: new Set<never>(), resultSchema }
  const onReport = async (
    { conclusion, ending, duration, files }: ExecutionReport,
    missingCopies: readonly MissingCopy[],
  ) => {
    step.outputs.set('finished', String(ending.kind === 'finished'))
    // A file that a cancelled step did not fetch or copy is not missing.
    const missing = step.cancelled.aborted ? undefined : missingOf(files, missingCopies)
    const facts = { executionId, conclusion, duration, missing }
    await setCommitStatus(inputs.commitStatus, 'wait', facts, connections, step)
  }
  using deadline = openDeadline(inputs.waiting, step)
  const additions = { storage, deadline, onReport, reportLink }
  return await followAndReport(subject, inputs, connections, additions, step)
}

function missingOf(
  files: ExecutionReport['files'],
  missingCopies: readonly MissingCopy[],
): StatusFacts['missing'] {
  if (files?.result.kind === 'unavailable') return 'result'
  return missingCopies.length > 0 ? 'copy' : undefined
}
