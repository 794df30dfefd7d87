/** Implements the action `wait`: waits for an existing run to end, and publishes its files. */
import type { RunEvent } from '../execution/events.ts'
import { conclusionOf, lostResultOf, type RunReport } from '../execution/report.ts'
import { followRun, noRetries, type RunEnv } from '../execution/follow-run.ts'
import { nothingSeen } from '../execution/seen.ts'
import { executionUrls } from '../messages/execution-url.ts'
import { readInputs } from '../runner/inputs/inputs.ts'
import { readStatusInputs } from '../runner/inputs/read-inputs.ts'
import type { WaitInputs } from '../runner/inputs/action-inputs.ts'
import type { OutputOf } from '../runner/outputs.ts'
import { prepareFolder } from '../runner/preflight.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { setCommitStatus } from './set-commit-status.ts'
import { logServiceAddress, type Connect, type Connections } from './connections.ts'
import { followEnvOf, logUnknownFormats, openDeadline } from './run-env.ts'
import { loadCodeAhead, setExecution } from './run-events.ts'
import { logExecutionUrl, RunLog } from './run-log.ts'

/** How long the only check may take if `timeout` is `0s`, in milliseconds. */
export const maxOnlyCheck = 10_000

export async function waitForExecution(
  inputs: WaitInputs,
  step: Step<OutputOf<'wait'>>,
  connect: Connect,
): Promise<Verdict> {
  const { executionId, waiting, publishing, resultSchema } = inputs
  const { pollInterval, timeout } = waiting
  const { outputs, log, clock } = step
  logServiceAddress(inputs.connection, step)
  log.info(`Execution ${executionId}`)
  const folder = await prepareFolder(step.environment)
  const connections = connect('wait', inputs.connection)
  const executionUrlOf = executionUrls(inputs.dashboard)
  setExecution(executionId, executionUrlOf, outputs)
  logExecutionUrl(executionId, executionUrlOf, log)
  const storage = connections.openStorage(step)
  using schema = resultSchema
  logUnknownFormats(schema, step)
  using deadline = openDeadline(waiting, step)
  const runLog = new RunLog(executionUrlOf, step)
  const emit = (event: RunEvent) => {
    runLog.write(event)
    loadCodeAhead(event, publishing, storage)
  }
  const env: RunEnv = {
    ...followEnvOf(connections, schema, publishing, folder, step),
    sendStart: () => Promise.reject(new Error('the action wait starts nothing')),
  }

  const since = { at: clock.now(), on: clock.date() }
  const takenOver = { executionId, seen: nothingSeen, since }
  const retrying = noRetries
  const lastCheckTime = timeout === 0 ? maxOnlyCheck : undefined
  const spec = { takenOver, target: undefined, retrying, pollInterval, deadline, lastCheckTime }
  const report = await followRun(spec, env, emit)

  outputs.set({ finished: String(report.end.kind === 'collected') })
  const { publishRun } = await import('./publish-run.ts')
  const meanwhile = setStatusOf(report, inputs, connections, step)
  return await publishRun(report, { inputs, retrying, storage, executionUrlOf, meanwhile }, step)
}

async function setStatusOf(
  { end }: RunReport,
  inputs: WaitInputs,
  connections: Connections,
  step: Step,
): Promise<void> {
  const isResultLost = lostResultOf(end) !== undefined
  const facts = { executionId: inputs.executionId, conclusion: conclusionOf(end), isResultLost }
  await setCommitStatus(inputs, facts, connections, step)
}

/**
 * Sets the commit status `error` after invalid inputs, because the commit would stay pending. Sends
 * nothing if the inputs of the status are invalid too. Never rejects.
 */
export async function reportInvalidInputs(
  openStatuses: Connections['openStatuses'],
  step: Step,
): Promise<void> {
  const { environment, bundles } = step
  const given = await readInputs(readStatusInputs, environment, bundles).catch(() => undefined)
  if (given) await setCommitStatus(given, { conclusion: 'unknown' }, { openStatuses }, step)
}
