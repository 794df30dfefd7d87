/**
 * Implements the action `batch`: starts or takes over one run for each seed (a JSON object) in a list,
 * waits for all runs, and publishes their files.
 */
import type { BatchInputs } from '../runner/inputs/action-inputs.ts'
import { openBatchRecorder } from '../runner/record/open-recorder.ts'
import type { OutputOf } from '../runner/outputs.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { readEarlierRuns } from './batch/earlier-runs.ts'
import { followSeeds } from './batch/follow-seeds.ts'
import { logList } from './batch/batch-log.ts'
import { RunFolders } from './batch/run-folders.ts'
import { logServiceAddress, type Connect } from './connections.ts'
import { logUnknownFormats } from './run-env.ts'

export async function runBatch(
  inputs: BatchInputs,
  step: Step<OutputOf<'batch'>>,
  connect: Connect,
): Promise<Verdict> {
  const { connection, list, resultSchema, publishing } = inputs
  const folders = await RunFolders.make(step)
  step.outputs.set({ folder: folders.folder })
  const connections = connect('batch', connection)
  const storage = connections.openStorage(step)
  const { recorder: opened, nameOf } = openBatchRecorder(inputs, storage, step)
  await using recorder = opened
  // If the list of seeds is empty, the step starts no run, so no record is read or saved.
  if (list.length > 0) await readEarlierRuns(recorder, list.map(nameOf), step)
  logServiceAddress(connection, step)
  logList(inputs, step)
  // Loads the large clients for artifact and cache during the runs, to save time at the end.
  if (publishing.uploadArtifact && list.length > 0) storage.prepare()
  using schema = resultSchema
  logUnknownFormats(schema, step)
  const dependencies = { connections, folders, recorder, nameOf }
  const report = await followSeeds(inputs, dependencies, step)
  const { publishBatch } = await import('./batch/publish-batch.ts')
  return await publishBatch(report, { inputs, folders, storage, recorder }, step)
}
