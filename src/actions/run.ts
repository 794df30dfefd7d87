/** Implements the root action: starts an automation, waits for its end, and publishes its files. */
import type { RunEvent } from '../execution/events.ts'
import { followRun, type RunEnv } from '../execution/run.ts'
import { describeKnown, describeStart } from '../messages/progress.ts'
import { linksTo } from '../messages/run-link.ts'
import type { RunInputs } from '../runner/inputs/action-inputs.ts'
import { nameOfOnlyRun } from '../runner/record/format.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { OutputOf } from '../runner/outputs.ts'
import { prepareFolder } from '../runner/preflight.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { beginOnlyRun, readEarlierRun } from './rerun.ts'
import { followEnvOf, logUnknownFormats, openDeadline, targetOf } from './run-env.ts'
import { loadCodeAhead, recordEvent, setExecution, setResumed } from './run-events.ts'
import { logLink, RunLog } from './run-log.ts'

export async function runAutomation(
  inputs: RunInputs,
  step: Step<OutputOf<'run'>>,
  connect: Connect,
): Promise<Verdict> {
  const { request, retrying, waiting, publishing } = inputs
  const { pollInterval } = waiting
  const { outputs, log, heartbeat } = step
  const folder = await prepareFolder(step.environment)
  const connections = connect('run', inputs.connection)
  const { service } = connections
  const storage = connections.openStorage(step)
  const linkOf = linksTo(inputs.dashboard)
  await using recorder = openRecorder(inputs, storage, step)
  using schema = retrying.resultSchema
  const runLog = new RunLog(linkOf, step)
  // The outputs come first, so that users find a run even if something fails after its start.
  const emit = (event: RunEvent) => {
    if (event.kind === 'started') setExecution(event.executionId, linkOf, outputs)
    recordEvent(event, nameOfOnlyRun, recorder)
    runLog.write(event)
    loadCodeAhead(event, publishing, storage)
  }
  const env: RunEnv = {
    ...followEnvOf(connections, schema, publishing, folder, step),
    sendStart: (untilAnswered, untilConnected) =>
      service.startAutomation(request, untilAnswered, untilConnected),
  }

  await readEarlierRun(recorder)
  // The deadline begins here, because a slow cache must not use up the time of the run.
  using deadline = openDeadline(waiting, step)
  const asked = { purpose: 'follow', remaining: deadline.remaining() } as const
  const begun = await beginOnlyRun(recorder, asked, env, emit, step)
  setResumed(begun, linkOf, outputs)
  logServiceAddress(inputs.connection, step)
  if (begun.kind === 'start') {
    log.title('Start')
    heartbeat.begin('starting')
    log.info(describeStart(request))
  } else {
    log.info(describeKnown(request.project, request.automation, begun.executionId))
    logLink(begun.executionId, linkOf, log)
  }
  logUnknownFormats(schema, step)

  const target = targetOf(request)
  const spec = { begun, target, retrying, pollInterval, deadline }
  const report = await followRun(spec, env, emit)

  const { publishRun } = await import('./publish-run.ts')
  return await publishRun(report, { inputs, retrying, storage, linkOf, recorder }, step)
}
