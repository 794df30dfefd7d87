/**
 * `uses: owner/run-automation/batch`: starts an automation once for each of many seeds, follows all
 * runs from one runner, hands on what they left.
 */
import path from 'node:path'
import { mkdir } from 'node:fs/promises'
import { messageOf } from '../errors.ts'
import { describeBatchStart } from '../messages/batch/progress.ts'
import { hasArtifactService } from '../runner/publish-artifact.ts'
import type { BatchInputs } from '../runner/inputs/read-batch.ts'
import { openBatchRecorder, seedNames } from '../runner/record/open-recorder.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { attemptOf } from '../runner/workflow-run.ts'
import { makeStepFolder } from '../runner/workspace.ts'
import { describeEarlier } from './batch/earlier-runs.ts'
import { followSeeds } from './batch/follow-seeds.ts'
import type { RunFacts } from './batch/progress.ts'
import { RunFolders } from './batch/run-folders.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { logRerun } from './earlier-execution.ts'
import { nothingStarted } from './failure.ts'
import { openChecker } from './result-check.ts'

export async function runBatch(
  inputs: BatchInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const connections = connect('batch', inputs.connection)
  const storage = connections.openStorage(step)
  const nameOf = seedNames(inputs)
  const names = inputs.list.seeds.seeds.map(nameOf)
  await using recorder = await openBatchRecorder(inputs, names, storage, step)
  await reportEarlier(recorder, names, inputs, step)
  const base = await makeBatchFolder(inputs, step)
  const folders = new RunFolders(path.join(base, 'runs'), step.secrets.show)
  const facts: RunFacts = new Map()
  logServiceAddress(inputs.connection, step)
  reportList(inputs, folders, step)
  const uploader = canUpload(inputs, step) ? storage : undefined
  // Loaded while the runs go on: the storage clients are most of the action's weight.
  uploader?.prepare()
  await using checker = await openChecker(inputs.retrying.resultSchema, inputs.waiting, step)
  const given = { connections, folders, facts, recorder, nameOf, checker }
  const report = await followSeeds(inputs, given, step)
  const { reportBatch } = await import('./batch/report.ts')
  const saveForRerun = async () => {
    await recorder.close()
    return recorder.isOnRecord
  }
  const context = { inputs, folders, facts, uploader, saveForRerun }
  const verdict = await reportBatch(report, context, step)
  // A later attempt of the job hands on again what this one could not hand on: copies, or all of it
  // where the step was cancelled meanwhile.
  const isReported = verdict.kind === 'passed' && !step.outputs.problem
  if (isReported && report.conclusion === 'success') recorder.reported()
  return verdict
}

/** @throws ActionError where the disk takes nothing: no run is started whose files have no place. */
async function makeBatchFolder({ target }: BatchInputs, { environment }: Step): Promise<string> {
  try {
    const base = await makeStepFolder(environment)
    await mkdir(path.join(base, 'runs'))
    return base
  } catch (error) {
    throw nothingStarted(target, messageOf(error), error)
  }
}

function reportList(
  { target, list: { seeds, shard, unfoundLabel }, pool, waiting }: BatchInputs,
  { folder }: RunFolders,
  { log, outputs }: Step,
): void {
  outputs.set('folder', folder)
  log.title('Start')
  if (seeds.seeds.length > 0) {
    log.info(describeBatchStart(target, seeds, { ...pool, ...waiting }))
    if (unfoundLabel !== undefined) log.note('label-not-found', { label: unfoundLabel })
    return
  }
  const isShard = shard !== undefined && seeds.total > 0
  const part = isShard ? `Shard ${shard.index}/${shard.total} of the list` : 'The list of seeds'
  log.note('no-seeds', { list: part })
}

/** The log's first lines: what an earlier attempt of the job left, and what is done about it. */
async function reportEarlier(
  recorder: Recorder,
  names: readonly string[],
  { again: { onRerun }, retrying: { retries } }: BatchInputs,
  step: Step,
): Promise<void> {
  const attempt = attemptOf(step.environment)
  const lines = describeEarlier(await recorder.read(), { attempt, onRerun, names, retries })
  for (const said of lines) logRerun(said, step)
}

function canUpload(
  { publishing: { uploadArtifact }, list: { seeds } }: BatchInputs,
  { environment }: Step,
): boolean {
  return uploadArtifact && seeds.seeds.length > 0 && hasArtifactService(environment)
}
