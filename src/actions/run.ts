/** Implements the root action: starts an automation, waits for its end, and publishes its files. */
import type { RunEvent } from '../execution/events.ts'
import { followRun, type RunEnv } from '../execution/follow-run.ts'
import type { RunInputs } from '../runner/inputs/action-inputs.ts'
import type { OutputOf } from '../runner/outputs.ts'
import { prepareFolder } from '../runner/preflight.ts'
import type { Step, Verdict } from '../runner/step.ts'
import type { Connect } from './connections.ts'
import { beginOnlyRun, openOnlyRun } from './only-run.ts'
import { followEnvOf, logUnknownFormats, openDeadline, targetOf } from './run-env.ts'
import { loadCodeAhead } from './run-events.ts'

export async function runAutomation(
  inputs: RunInputs,
  step: Step<OutputOf<'run'>>,
  connect: Connect,
): Promise<Verdict> {
  const { request, retrying, waiting, resultSchema, publishing } = inputs
  const { pollInterval } = waiting
  using schema = resultSchema
  const folder = await prepareFolder(step.environment)
  const opened = await openOnlyRun('run', inputs, step, connect)
  const { connections, storage, executionUrlOf, sendStart } = opened
  await using recorder = opened.recorder
  const emit = (event: RunEvent) => {
    opened.emit(event)
    loadCodeAhead(event, publishing, storage)
  }
  const env: RunEnv = { ...followEnvOf(connections, schema, publishing, folder, step), sendStart }

  // The deadline begins here, because a slow cache must not use up the time of the run.
  using deadline = openDeadline(waiting, step)
  const asked = { purpose: 'follow', remaining: deadline.remaining() } as const
  const beginning = await beginOnlyRun(inputs, opened, asked, env, emit, step)
  logUnknownFormats(schema, step)

  const takenOver = beginning.kind === 'take-over' ? beginning : undefined
  const spec = { takenOver, target: targetOf(request), retrying, pollInterval, deadline }
  const report = await followRun(spec, env, emit)

  const { publishRun } = await import('./publish-run.ts')
  return await publishRun(report, { inputs, retrying, storage, executionUrlOf, recorder }, step)
}
