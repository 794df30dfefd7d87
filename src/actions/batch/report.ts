/** Tells people what became of a batch: outputs, files, log, job summary, the one annotation. */
import type { BatchReport } from '../../execution/batch/batch.ts'
import { describeBatchFailure } from '../../messages/batch/failure.ts'
import { describeLostFiles, type BatchFailure } from '../../messages/batch/lost-files.ts'
import { describeBatchEnd, describeOpenRuns } from '../../messages/batch/progress.ts'
import { resultsOutput, resultsTooLarge } from '../../messages/batch/results.ts'
import { stopOf } from '../../messages/batch/stop.ts'
import { surveyBatch, type BatchSurvey } from '../../messages/batch/survey.ts'
import { batchHeading, type BatchEnd } from '../../messages/batch/verdict.ts'
import { describeElapsed } from '../../messages/quantities.ts'
import type { ArtifactOutcome, ArtifactUploader } from '../../runner/artifact/publish-artifact.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import { passed, type Step, type Verdict } from '../../runner/step.ts'
import { uploadBatch } from './artifact.ts'
import { writeBatchFiles, type BatchFiles } from './files.ts'
import { printLogs } from './print-logs.ts'
import type { RunFolders } from './run-folders.ts'
import { summariseBatch } from './summarise.ts'

export interface BatchContext {
  inputs: BatchInputs
  folders: RunFolders
  uploader: ArtifactUploader | undefined
}

/** Every id is told first: after a cancellation there may be no time for more. */
export async function reportBatch(
  followed: BatchReport,
  { inputs, folders, uploader }: BatchContext,
  step: Step,
): Promise<Verdict> {
  const show = step.secrets.show
  setOutputs(followed, step)
  for (const line of describeOpenRuns(followed.records, show)) step.log.info(line)
  const files = await publishFiles(followed, inputs, folders, step)
  const artifact = await uploadBatch(followed, inputs, { folders, uploader }, step)
  const report = afterPublishing(followed, step)
  const end = endOf(report, inputs)
  const survey = surveyBatch(report.records, { ...end.counts, ...report }, show)
  const failure = annotate({ report, end, survey, files, artifact }, step)
  if (!step.cancelled.aborted) await printLogs(report, inputs.publishing, folders.folder, step)
  step.log.verdict(headlineOf(report, end, survey, failure), !failure)
  const told = { ...end, failure, files, artifact }
  await summariseBatch(report, survey, told, { inputs, folders }, step)
  return failure ? { kind: 'failed', annotation: failure.annotation } : passed
}

/** Those that need no file come first: writing files takes time and may fail. */
function setOutputs({ conclusion, counts, duration, resumed }: BatchReport, { outputs }: Step) {
  outputs.set('conclusion', conclusion)
  outputs.set('total', String(counts.total))
  outputs.set('succeeded', String(counts.succeeded))
  outputs.set('failed', String(counts.failed))
  outputs.set('unknown', String(counts.unknown))
  outputs.set('unfinished', String(counts.unfinished))
  outputs.set('not-started', String(counts.notStarted))
  outputs.set('resumed', String(resumed > 0))
  outputs.set('duration-seconds', String(Math.round(duration / 1000)))
}

async function publishFiles(
  report: BatchReport,
  inputs: BatchInputs,
  folders: RunFolders,
  step: Step,
): Promise<BatchFiles> {
  const { log, outputs, secrets } = step
  log.title('Publish')
  const files = await writeBatchFiles(report, inputs, folders, step)
  outputs.set('results-file', files.resultsFile ?? '')
  outputs.set('failed-seeds-file', files.failedSeedsFile ?? '')
  const results = resultsOutput(report.records, secrets.show)
  outputs.set('results', results)
  if (files.resultsFile !== undefined) log.info(`Results: ${files.resultsFile}`)
  if (results === '') log.info(resultsTooLarge)
  return files
}

/** The runner may have ended the step while files were written or uploaded. */
function afterPublishing(report: BatchReport, { cancelled, outputs }: Step): BatchReport {
  if (!cancelled.aborted) return report
  if (report.conclusion !== 'cancelled') outputs.set('conclusion', 'cancelled')
  return { ...report, conclusion: 'cancelled' }
}

function endOf(
  { counts, conclusion, stopped, stoppedBy }: BatchReport,
  { target: { automation } }: BatchInputs,
): BatchEnd {
  return { automation, counts, conclusion, stop: stopOf(stopped, stoppedBy) }
}

interface Told {
  report: BatchReport
  end: BatchEnd
  survey: BatchSurvey
  files: BatchFiles
  artifact: ArtifactOutcome | undefined
}

function annotate(
  { report, end, survey, files, artifact }: Told,
  { log, secrets }: Step,
): BatchFailure | undefined {
  const show = secrets.show
  const { lost, failedSeedsFile } = files
  if (report.failing > 0 || report.conclusion === 'cancelled') {
    for (const { input, why } of lost) log.note('copy-not-written', { input, why })
    const artifactUrl = artifact?.kind === 'uploaded' ? artifact.url : undefined
    const annotation = describeBatchFailure(end, survey, { artifactUrl, failedSeedsFile }, show)
    return { annotation, isOfFiles: false }
  }
  if (lost.length === 0) return undefined
  return { annotation: describeLostFiles(end.automation, lost), isOfFiles: true }
}

function headlineOf(
  { counts, duration }: BatchReport,
  end: BatchEnd,
  survey: BatchSurvey,
  failure: BatchFailure | undefined,
): string {
  if (!failure) return describeBatchEnd(counts, end.automation, duration)
  const title = failure.isOfFiles
    ? failure.annotation.title
    : batchHeading(end, survey, end.automation).title
  return `${title} (after ${describeElapsed(duration)})`
}
