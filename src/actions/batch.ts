/**
 * `uses: owner/run-automation/batch`: starts an automation once for each of many seeds, follows all
 * runs from one runner, hands on what they left.
 */
import path from 'node:path'
import { mkdir } from 'node:fs/promises'
import { Deadline } from '../clock.ts'
import { ActionError, messageOf } from '../errors.ts'
import type { BatchCollaborators, BatchPlan, BatchReport } from '../execution/batch/batch.ts'
import { followBatch } from '../execution/batch/follow-batch.ts'
import type { RunConclusion } from '../execution/batch/record.ts'
import { RecordFile } from '../execution/batch/record-file.ts'
import { followWithRetries } from '../execution/retries.ts'
import { describeBatchStart } from '../messages/batch/progress.ts'
import { titled } from '../messages/catalogue.ts'
import { showLog } from '../messages/log-text.ts'
import { hasArtifactService } from '../runner/artifact/publish-artifact.ts'
import type { BatchInputs } from '../runner/inputs/read-batch.ts'
import { StepStorage } from '../runner/storage/step-storage.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { makeStepFolder } from '../runner/workspace.ts'
import { tellBatch } from './batch/progress.ts'
import { RunFolders } from './batch/run-folders.ts'
import { introduce, type Connect } from './connect.ts'

/** What the service bears of one step, whatever number of runs it follows. */
const checksPerSecond = 5

export async function runBatch(
  inputs: BatchInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { seeds } = inputs.list
  const connections = connect('batch', inputs.connection)
  await using storage = new StepStorage(step)
  const base = await makeBatchFolder(inputs, step)
  const folders = new RunFolders(path.join(base, 'runs'), (text) => step.secrets.show(text))
  await using records = await RecordFile.create(
    path.join(base, 'records.jsonl'),
    seeds.seeds.length,
  )
  introduce(inputs.connection, step)
  tellOfList(inputs, folders, step)
  const uploader = loadUploader(inputs, storage, step)
  try {
    const collaborators = { ...collaboratorsIn(step, folders), ...connections, records }
    const report = await follow(inputs, collaborators, folders, step)
    const { reportBatch } = await import('./batch/report.ts')
    return await reportBatch(report, { inputs, folders, uploader: await uploader }, step)
  } finally {
    await seeds.close()
  }
}

/** @throws ActionError where the disk takes nothing: no run is started whose files have no place. */
async function makeBatchFolder(
  { target: { automation } }: BatchInputs,
  { environment }: Step,
): Promise<string> {
  try {
    const base = await makeStepFolder(environment)
    await mkdir(path.join(base, 'runs'))
    return base
  } catch (error) {
    throw new ActionError(`Nothing was started: ${messageOf(error)}.`, {
      title: titled('not-started', { subject: automation }),
      hint: "Make room in the runner's temp folder, then run this job again.",
      cause: error,
    })
  }
}

function tellOfList(
  { target, list: { seeds, shard }, pool, waiting }: BatchInputs,
  { folder }: RunFolders,
  { log, outputs }: Step,
): void {
  outputs.set('folder', folder)
  log.title('Start')
  if (seeds.seeds.length > 0) {
    log.info(describeBatchStart(target, seeds, { ...pool, ...waiting }))
    return
  }
  const isShard = shard !== undefined && seeds.total > 0
  const part = isShard ? `Shard ${shard.index}/${shard.total} of the list` : 'The list of seeds'
  log.note('no-seeds', { list: part })
}

async function follow(
  inputs: BatchInputs,
  collaborators: BatchCollaborators,
  folders: RunFolders,
  step: Step,
): Promise<BatchReport> {
  const { target, list, delivery, pool, waiting, retrying } = inputs
  const { pollInterval, timeout, failOn } = waiting
  using deadline = new Deadline(step.clock, timeout, step.cancelled)
  using listener = tellBatch(retrying.retries, folders, step)
  const plan: BatchPlan = {
    ...{ seeds: list.seeds, request: { ...target, ...delivery }, pollInterval, deadline },
    ...pool,
    ...retrying,
    failsStep: (conclusion) => failsStep(conclusion, failOn),
    // Nothing is kept between the attempts of a job yet: each starts all seeds.
    earlier: () => undefined,
  }
  return await followBatch(plan, collaborators, listener)
}

/** `fail-on` speaks of runs. A start that the service did not take fails the step in any case. */
function failsStep(conclusion: RunConclusion, failOn: BatchInputs['waiting']['failOn']): boolean {
  switch (conclusion) {
    case 'success':
      return false
    case 'error':
    case 'container-error':
    case 'stopped':
    case 'timed-out':
      return failOn.has(conclusion)
    case 'cancelled':
    case 'unknown':
    case 'refused':
    case 'not-started':
      return true
  }
}

function collaboratorsIn(
  { clock, random, cancelled, secrets }: Step,
  folders: RunFolders,
): Omit<BatchCollaborators, 'service' | 'store' | 'records'> {
  return {
    ...{ clock, random, cancelled, checksPerSecond },
    follow: followWithRetries,
    folder: folders.folder,
    makeFolder: (seed) => folders.make(seed),
    removeFolder: (folder) => folders.remove(folder),
    showLog: (text) => showLog(text, secrets),
    showWords: (text) => secrets.words(text),
  }
}

/** Loaded while the runs go on: the storage clients are most of the action's weight. */
async function loadUploader(
  { publishing: { uploadArtifact }, list: { seeds } }: BatchInputs,
  storage: StepStorage,
  { environment }: Step,
) {
  const isWanted = uploadArtifact && seeds.seeds.length > 0
  return isWanted && hasArtifactService(environment) ? storage.load() : undefined
}
