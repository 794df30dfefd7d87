/** Implements the root action: starts an automation, waits for its end, and publishes its files. */
import { followRun } from '../execution/run.ts'
import { maxLastCheck } from '../execution/watch.ts'
import { describeKnown, describeStart } from '../messages/progress.ts'
import { linksTo } from '../messages/run-link.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { onlyRun } from '../runner/record/format.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { beginOnlyRun } from './rerun.ts'
import { logUnknownFormats, openDeadline, runEnvOf, targetOf } from './run-env.ts'
import { loadingAhead, onRunEvent, recordEnd, recordingAs, setBegin } from './run-events.ts'
import { logLink, RunLog } from './run-log.ts'

export async function runAutomation(
  inputs: RunInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { start, retrying, waiting, publishing } = inputs
  const { retries, retryOn, resultSchema } = retrying
  const { outputs, log } = step
  const connections = connect('run', inputs.connection)
  const { service } = connections
  const storage = connections.openStorage(step)
  const linkOf = linksTo(inputs.dashboard)
  await using recorder = openRecorder(inputs, storage, step)
  using deadline = openDeadline(waiting, step)
  using schema = resultSchema
  using progress = new RunLog(linkOf, step)
  const record = recordingAs(onlyRun, recorder)
  const load = loadingAhead(publishing, storage)
  const emit = onRunEvent({ log: progress, linkOf, record, load }, step)
  const send = (signal: AbortSignal, whileConnecting: AbortSignal) =>
    service.startAutomation(start, signal, whileConnecting)
  const env = runEnvOf(connections, send, schema, publishing, step)

  const asked = { purpose: 'follow', remaining: deadline.remaining() } as const
  const begun = await beginOnlyRun(recorder, asked, env, emit, step)
  setBegin(begun, linkOf, outputs)
  logServiceAddress(inputs.connection, step)
  if (begun.kind === 'start') {
    log.title('Start')
    log.info(describeStart(start))
  } else {
    log.info(describeKnown(start.project, start.automation, begun.executionId))
    logLink(begun.executionId, linkOf, log)
  }
  logUnknownFormats(schema, step)

  const target = targetOf(start)
  const { pollInterval } = waiting
  const spec = {
    begin: begun,
    target,
    retries,
    retryOn,
    pollInterval,
    deadline,
    lastCheck: maxLastCheck,
  }
  const report = await followRun(spec, env, emit)
  recordEnd(onlyRun, report.end, recorder)
  const { publishRun } = await import('./publish-run.ts')
  return await publishRun(report, { inputs, retries, retryOn, storage, linkOf, recorder }, step)
}
