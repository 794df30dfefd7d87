/** Reports a finished batch in outputs, files, log, job summary and annotation. */
import path from 'node:path'
import type { BatchReport } from '../../execution/batch/batch.ts'
import { judgeBatch, type BatchJudgement } from '../../messages/batch/verdict.ts'
import {
  resultsOutput,
  resultsTooLarge,
  showRun,
  type ShownRun,
} from '../../messages/batch/runs.ts'
import { linksTo } from '../../messages/run-link.ts'
import { showTexts } from '../../messages/text/shown-texts.ts'
import { renderBatchSummary } from '../../messages/summary/batch.ts'
import { artifactNameFor, publishArtifact, type Artifact } from '../../runner/publish-artifact.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { OutputValues } from '../../runner/outputs.ts'
import { verdictOf, type Step, type Verdict } from '../../runner/step.ts'
import type { Storage } from '../../runner/storage/step-storage.ts'
import { attemptOf, workflowRunOf } from '../../runner/environment.ts'
import { publishSummary } from '../summarise.ts'
import { writeBatchFiles, type BatchFiles, type BatchRuns } from './files.ts'
import type { RunFolders } from './run-folders.ts'
import { printLogs } from './print-logs.ts'

export interface BatchContext {
  inputs: BatchInputs
  folders: RunFolders
  storage: Pick<Storage, 'upload'>
  /** Saves the record. Resolves with true if it is certain that a re-run finds all executions. */
  saveForRerun: () => Promise<boolean>
  /** Saves the record with all ends as reported. A cancellation ends and undoes the save. */
  saveAsReported: () => Promise<void>
}

/**
 * Publishes a batch, saves its record, and returns the verdict of the step. The files come first,
 * because a missing file may fail the step. The record comes before the annotation, because the
 * annotation says what a re-run does.
 */
export async function reportBatch(
  report: BatchReport,
  context: BatchContext,
  step: Step,
): Promise<Verdict> {
  const { inputs, folders, saveAsReported } = context
  const { cancelled, log, outputs, secrets } = step
  const { show } = secrets
  const linkOf = linksTo(inputs.dashboard)
  const workflowRun = showTexts(workflowRunOf(step.environment, inputs.jobId), show)
  const shared = { ...inputs.target, workflowRun, linkOf }
  const runs = report.records.map((record) => showRun(record, show, linkOf(record.executionId)))
  const files = await publishFiles({ report, runs, shared }, context, step)
  const artifact = await uploadBatch(report, context, step)
  const published = { runs, artifact, ...files }
  let judged = await conclude(report, published, context, step)
  for (const { output, why } of judged.alsoLost) log.note('output-not-set', { name: output, why })
  if (judged.allowed) log.note('batch-failures-pass', judged.allowed)
  await printLogs(runs, inputs.publishing, folders, step)
  log.verdict(judged.headline, !judged.fails)
  for (const line of judged.lines) log.info(line)
  const text = renderBatchSummary(judged.end, judged.annotation, show)
  await publishSummary(text, inputs.publishing.summary, path.dirname(folders.folder), step)

  // If an output could not be written, a later attempt of the job must publish the runs again.
  if (judged.isReported && !outputs.problem && !cancelled.aborted) await saveAsReported()
  // The signal may come while the last texts are written, or during the last save. The job is red
  // then, so its re-run must publish these runs and not pay for others.
  if (!judged.fails && cancelled.aborted) {
    judged = await conclude(report, published, context, step)
  }
  return verdictOf(judged)
}

interface PublishedBatch extends BatchFiles {
  runs: readonly ShownRun[]
  artifact: Artifact | undefined
}

/** Judges the batch and sets the outputs. Saves the record if the words depend on it. */
async function conclude(
  report: BatchReport,
  { runs, artifact, lost, resultsFile }: PublishedBatch,
  { inputs, saveForRerun }: BatchContext,
  { cancelled, outputs, secrets }: Step,
): Promise<BatchJudgement> {
  const { automation } = inputs.target
  const judgeNow = (isOnRecord: boolean) => {
    const facts = { automation, runs, artifact, resultsFile, lost, isOnRecord }
    return judgeBatch(report, { ...facts, cancelled: cancelled.aborted, show: secrets.show })
  }
  const isOnRecord = judgeNow(false).needsRecord && (await saveForRerun())
  const judged = judgeNow(isOnRecord)
  outputs.set(outputsOf(report, judged))
  return judged
}

/** Returns the outputs that are known when the batch is judged. */
function outputsOf(
  { counts, records, duration }: BatchReport,
  { conclusion, cause }: BatchJudgement,
): OutputValues {
  return {
    conclusion,
    cause,
    total: String(counts.total),
    succeeded: String(counts.succeeded),
    failed: String(counts.failed),
    unknown: String(counts.unknown),
    unfinished: String(counts.unfinished),
    'not-started': String(counts.notStarted),
    resumed: String(records.some(({ resumed }) => resumed)),
    'duration-seconds': String(Math.round(duration / 1000)),
  }
}

async function publishFiles(
  batch: BatchRuns,
  { inputs, folders }: BatchContext,
  step: Step,
): Promise<BatchFiles> {
  const { log, outputs, secrets } = step
  log.title('Publish')
  const results = resultsOutput(batch.report.records, batch.shared, secrets.show)
  if (results === '') log.info(resultsTooLarge)
  const files = await writeBatchFiles(batch, inputs, folders, step)
  outputs.set({
    results,
    'results-file': files.resultsFile ?? '',
    'failed-seeds-file': files.failedSeedsFile ?? '',
    'junit-file': files.junitFile ?? '',
  })
  if (files.resultsFile !== undefined) log.info(`Results: ${files.resultsFile}`)
  return files
}

/** Uploads the artifact, unless the upload is off, no seeds are given, or the step is cancelled. */
async function uploadBatch(
  { counts }: BatchReport,
  { inputs, folders, storage }: BatchContext,
  step: Step,
): Promise<Artifact | undefined> {
  const { target, publishing } = inputs
  if (!publishing.uploadArtifact || counts.total === 0 || step.cancelled.aborted) return undefined
  const { folder } = folders
  const attempt = attemptOf(step.environment)
  const { show } = step.secrets
  const gather = async () => ({
    name: artifactNameFor(publishing.artifactName, target.automation, 'batch', attempt, show),
    files: (await folders.files()).map((file) => path.join(folder, file)),
    folder,
    retentionDays: publishing.retentionDays,
  })
  return await publishArtifact(gather, folder, storage, step)
}
