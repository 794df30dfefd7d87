/** Implements the action `wait`: waits for an existing run to end, and publishes its files. */
import { conclusionOf, lostResultOf, type RunReport } from '../execution/report.ts'
import { followRun } from '../execution/run.ts'
import { nothingSeen } from '../execution/seen.ts'
import { maxLastCheck } from '../execution/watch.ts'
import { linksTo } from '../messages/run-link.ts'
import type { WaitInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { setCommitStatus } from './commit-status.ts'
import { logServiceAddress, type Connect, type Connections } from './connect.ts'
import { logUnknownFormats, openDeadline, runEnvOf } from './run-env.ts'
import { loadingAhead, onRunEvent, setExecution } from './run-events.ts'
import { logLink, RunLog } from './run-log.ts'

/** How long the only check may take if `timeout` is `0s`, in milliseconds. */
export const maxOnlyCheck = 10_000

export async function waitForExecution(
  inputs: WaitInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { executionId, waiting, publishing, resultSchema } = inputs
  const { pollInterval, timeout } = waiting
  const { outputs, log } = step
  logServiceAddress(inputs.connection, step)
  log.info(`Execution ${executionId}`)
  const connections = connect('wait', inputs.connection)
  const linkOf = linksTo(inputs.dashboard)
  setExecution(executionId, linkOf, outputs)
  logLink(executionId, linkOf, log)
  const storage = connections.openStorage(step)
  using schema = resultSchema
  logUnknownFormats(schema, step)
  using deadline = openDeadline(waiting, step)
  using progress = new RunLog(linkOf, step)
  const load = loadingAhead(publishing, storage)
  const emit = onRunEvent({ log: progress, linkOf, load }, step)
  const env = runEnvOf(connections, startNothing, schema, publishing, step)

  const since = { at: step.clock.now(), on: step.clock.date() }
  const seen = nothingSeen
  const begin = { kind: 'take-over', because: 'running', executionId, seen, since } as const
  const lastCheck = timeout === 0 ? maxOnlyCheck : maxLastCheck
  const retrying = { retries: 0, retryOn: new Set<never>() }
  const spec = { begin, target: undefined, ...retrying, pollInterval, deadline, lastCheck }
  const report = await followRun(spec, env, emit)
  outputs.set({ finished: String(report.end.kind === 'collected') })
  const { publishRun } = await import('./publish-run.ts')
  const meanwhile = setStatusOf(report, inputs, connections, step)
  return await publishRun(report, { inputs, ...retrying, storage, linkOf, meanwhile }, step)
}

/** This action takes over a run, and has no retries. */
function startNothing(): Promise<never> {
  return Promise.reject(new Error('the action wait starts nothing'))
}

async function setStatusOf(
  { end }: RunReport,
  inputs: WaitInputs,
  connections: Connections,
  step: Step,
): Promise<void> {
  // A cancelled step had no time to fetch the result, so the result does not count as lost.
  const isResultLost = lostResultOf(end) !== undefined && !step.cancelled.aborted
  const facts = { executionId: inputs.executionId, conclusion: conclusionOf(end), isResultLost }
  await setCommitStatus(inputs, facts, connections, step)
}
