/** Reports a finished batch in outputs, files, log, job summary and annotation. */
import path from 'node:path'
import type { BatchReport } from '../../execution/batch/batch.ts'
import type { Annotation } from '../../messages/annotation.ts'
import { countAllowedFailures, failsByRuns, type BatchEnd } from '../../messages/batch/end.ts'
import {
  adviceLines,
  batchCause,
  describeBatchFailure,
  describeLostFiles,
} from '../../messages/batch/failure.ts'
import { describeBatchEnd } from '../../messages/batch/progress.ts'
import { resultsOutput, resultsTooLarge, showRun } from '../../messages/batch/runs.ts'
import type { LostFile } from '../../messages/loss.ts'
import { describeCount, describeElapsed } from '../../messages/quantities.ts'
import { linksTo } from '../../messages/run-link.ts'
import { showJson } from '../../messages/text/shown-texts.ts'
import { renderBatchSummary } from '../../messages/summary/batch.ts'
import { artifactNameFor, publishArtifact, type Artifact } from '../../runner/publish-artifact.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import { passed, type Step, type Verdict } from '../../runner/step.ts'
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

export async function reportBatch(
  followed: BatchReport,
  context: BatchContext,
  step: Step,
): Promise<Verdict> {
  const { inputs, folders, saveForRerun, saveAsReported } = context
  const show = step.secrets.show
  setOutputs(followed, step)
  const linkOf = linksTo(inputs.dashboard)
  const workflowRun = showJson(workflowRunOf(step.environment, inputs.jobId), show)
  const shared = { ...inputs.target, workflowRun, linkOf }
  const runs = followed.records.map((record) => showRun(record, show, linkOf(record.executionId)))
  const files = await publishFiles({ report: followed, runs, shared }, context, step)
  const artifact = await uploadBatch(followed, context, step)
  const report = afterPublishing(followed, step)
  const { resultsFile, failedSeedsFile, lost } = files
  // After a failure, the annotation says what a re-run does, so the record is saved first.
  const isRerunNamed = failsByRuns({ conclusion: report.conclusion, runs }) || lost.length > 0
  const isOnRecord = (isRerunNamed || report.conclusion !== 'success') && (await saveForRerun())
  const { automation } = inputs.target
  const written = { artifact, resultsFile, failedSeedsFile }
  const end: BatchEnd = { ...report, ...written, automation, runs, isOnRecord }
  const failure = annotate(end, lost, step)
  step.outputs.set({ cause: failure?.message.split('\n', 1)[0] ?? batchCause(end) })
  await printLogs(runs, inputs.publishing, folders, step)
  step.log.verdict(headlineOf(end, failure), !failure)
  const isOpen = end.counts.unfinished + end.counts.unknown > 0
  if (!failure && isOpen) for (const line of adviceLines(end)) step.log.info(line)
  const text = renderBatchSummary(end, failure, show)
  await publishSummary(text, inputs.publishing.summary, path.dirname(folders.folder), step)
  if (failure) return { kind: 'failed', annotation: failure }
  // If an output could not be written, a later attempt of the job must publish the runs again.
  const isReported = report.conclusion === 'success' && !step.outputs.problem
  if (isReported && !step.cancelled.aborted) await saveAsReported()
  if (!step.cancelled.aborted) return passed
  // The signal came while the last texts were written, or during the last save. The job is red, so
  // its re-run must publish these runs and not pay for others.
  const { conclusion } = afterPublishing(report, step)
  const cancelled = { ...end, conclusion, isOnRecord: await saveForRerun() }
  return { kind: 'failed', annotation: describeBatchFailure(cancelled, show) }
}

/** Sets the outputs that need no file. These outputs come first, because writing files may fail. */
function setOutputs({ conclusion, counts, duration, records }: BatchReport, { outputs }: Step) {
  outputs.set({ conclusion: conclusion })
  outputs.set({ total: String(counts.total) })
  outputs.set({ succeeded: String(counts.succeeded) })
  outputs.set({ failed: String(counts.failed) })
  outputs.set({ unknown: String(counts.unknown) })
  outputs.set({ unfinished: String(counts.unfinished) })
  outputs.set({ 'not-started': String(counts.notStarted) })
  outputs.set({ resumed: String(records.some(({ resumed }) => resumed)) })
  outputs.set({ 'duration-seconds': String(Math.round(duration / 1000)) })
}

async function publishFiles(
  batch: BatchRuns,
  { inputs, folders }: BatchContext,
  step: Step,
): Promise<BatchFiles> {
  const { log, outputs, secrets } = step
  log.title('Publish')
  const results = resultsOutput(batch.report.records, batch.shared, secrets.show)
  outputs.set({ results: results })
  if (results === '') log.info(resultsTooLarge)
  const files = await writeBatchFiles(batch, inputs, folders, step)
  outputs.set({ 'results-file': files.resultsFile ?? '' })
  outputs.set({ 'failed-seeds-file': files.failedSeedsFile ?? '' })
  outputs.set({ 'junit-file': files.junitFile ?? '' })
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

/** Sets the conclusion to `cancelled` if the step was cancelled while files were published. */
function afterPublishing(report: BatchReport, { cancelled, outputs }: Step): BatchReport {
  if (!cancelled.aborted) return report
  if (report.conclusion !== 'cancelled') outputs.set({ conclusion: 'cancelled' })
  return { ...report, conclusion: 'cancelled' }
}

function annotate(
  end: BatchEnd,
  lost: readonly LostFile[],
  { log, secrets }: Step,
): Annotation | undefined {
  if (failsByRuns(end)) {
    // If the step was cancelled, missing files are expected and need no warning.
    const reported = end.conclusion === 'cancelled' ? [] : lost
    for (const { output, why } of reported) log.note('output-not-set', { name: output, why })
    return describeBatchFailure(end, secrets.show)
  }
  if (lost.length > 0) return describeLostFiles(end, lost)
  const allowed = countAllowedFailures(end)
  const runs = describeCount(end.counts.total, 'run')
  if (allowed > 0) {
    log.note('batch-failures-pass', { subject: end.automation, count: String(allowed), runs })
  }
  return undefined
}

function headlineOf(end: BatchEnd, failure: Annotation | undefined): string {
  if (!failure) return describeBatchEnd(end)
  return `${failure.title} (after ${describeElapsed(end.duration)})`
}
