/** Implements the root action: starts an automation, waits for its end, and publishes its files. */
import type { RunEvent } from '../execution/events.ts'
import { followRun, type RunEnv } from '../execution/follow-run.ts'
import { describeKnown, describeStart } from '../messages/progress.ts'
import type { RunInputs } from '../runner/inputs/action-inputs.ts'
import type { OutputOf } from '../runner/outputs.ts'
import { prepareFolder } from '../runner/preflight.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { logServiceAddress, type Connect } from './open-clients.ts'
import { openOnlyRun } from './only-run.ts'
import { beginOnlyRun, readEarlierRun } from './begin-step.ts'
import { followEnvOf, logUnknownFormats, openDeadline, targetOf } from './run-env.ts'
import { loadCodeAhead, setResumed } from './run-events.ts'
import { logLink } from './run-log.ts'

export async function runAutomation(
  inputs: RunInputs,
  step: Step<OutputOf<'run'>>,
  connect: Connect,
): Promise<Verdict> {
  const { request, retrying, waiting, publishing } = inputs
  const { pollInterval } = waiting
  const { outputs, log, heartbeat } = step
  const folder = await prepareFolder(step.environment)
  const opened = openOnlyRun('run', inputs, step, connect)
  const { connections, storage, linkOf, sendStart } = opened
  await using recorder = opened.recorder
  using schema = retrying.resultSchema
  const emit = (event: RunEvent) => {
    opened.emit(event)
    loadCodeAhead(event, publishing, storage)
  }
  const env: RunEnv = { ...followEnvOf(connections, schema, publishing, folder, step), sendStart }

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
