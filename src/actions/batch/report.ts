/** Reports what became of a batch: outputs, files, log, job summary, the one annotation. */
import path from 'node:path'
import type { BatchReport } from '../../execution/batch/batch.ts'
import {
  batchHeading,
  describeBatchFailure,
  describeLostFiles,
  type BatchFailure,
} from '../../messages/batch/failure.ts'
import { batchHint, type BatchEnd, type BatchPlace } from '../../messages/batch/hint.ts'
import { describeBatchEnd, describeOpenRuns } from '../../messages/batch/progress.ts'
import { resultsOutput, resultsTooLarge, showRun } from '../../messages/batch/runs.ts'
import { stopOf } from '../../messages/batch/stop.ts'
import { surveyBatch, type BatchSurvey } from '../../messages/batch/survey.ts'
import type { LostFile } from '../../messages/file-problem.ts'
import { describeElapsed } from '../../messages/quantities.ts'
import { renderBatchSummary } from '../../messages/summary/batch.ts'
import {
  artifactNameFor,
  type ArtifactOutcome,
  reportArtifact,
  uploadArtifact,
} from '../../runner/publish-artifact.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import { passed, type Step, type Verdict } from '../../runner/step.ts'
import type { Storage } from '../../runner/storage/step-storage.ts'
import { attemptOf, workflowRunOf } from '../../runner/workflow-run.ts'
import { publishSummary } from '../summarise.ts'
import { writeBatchFiles, type BatchFiles, type BatchRuns } from './files.ts'
import type { RunFacts } from './progress.ts'
import type { RunFolders } from './run-folders.ts'
import { printLogs, readResults } from './run-texts.ts'

export interface BatchContext {
  inputs: BatchInputs
  folders: RunFolders
  facts: RunFacts
  storage: Pick<Storage, 'upload'>
  /** Saves what is known; resolves with whether a re-run finds all executions for certain. */
  saveForRerun: () => Promise<boolean>
}

/** Every id comes first: after a cancellation there may be no time for more. */
export async function reportBatch(
  followed: BatchReport,
  context: BatchContext,
  step: Step,
): Promise<Verdict> {
  const { inputs, folders, facts } = context
  const show = step.secrets.show
  setOutputs(followed, step)
  const runs = followed.records.map((record) => showRun(record, show))
  const open = describeOpenRuns(runs)
  for (const line of open) step.log.info(line)
  const files = await publishFiles({ report: followed, runs, facts }, context, step)
  const artifact = await upload(followed, context, step)
  const report = afterPublishing(followed, step)
  const isOnRecord = await isSavedForRerun(report, files.lost, context)
  const end = endOf(report, inputs, isOnRecord)
  const survey = surveyBatch(runs)
  const { resultsFile, failedSeedsFile, lost } = files
  const place = { artifactUrl: artifact?.url, resultsFile, failedSeedsFile }
  const failure = annotate({ report, end, survey, place, lost }, step)
  await printLogs(runs, inputs.publishing, folders, step)
  step.log.verdict(headlineOf(report, end, survey, failure), !failure)
  if (!failure && open.length > 0) step.log.info(`Next: ${batchHint(end, survey, place, show)}`)
  const summary = {
    ...end,
    place,
    artifact,
    startedOn: report.startedOn,
    duration: report.duration,
    failed: failure !== undefined,
    lost: failure?.isOfFiles ? failure.annotation : undefined,
    results: await readResults(runs, inputs.publishing, folders, step),
  }
  const render = (runUrl?: string) => renderBatchSummary({ ...summary, runUrl }, survey, show)
  const texts = {
    onPage: inputs.publishing.summary ? render() : undefined,
    inFile: render(workflowRunOf(step.environment).url),
  }
  // Beside the runs' folders: it is no part of what they left.
  await publishSummary(texts, path.dirname(folders.folder), step)
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
  batch: BatchRuns,
  { inputs, folders }: BatchContext,
  step: Step,
): Promise<BatchFiles> {
  const { log, outputs, secrets } = step
  log.title('Publish')
  const results = resultsOutput(batch.report.records, secrets.show)
  outputs.set('results', results)
  if (results === '') log.info(resultsTooLarge)
  const files = await writeBatchFiles(batch, inputs, folders, step)
  outputs.set('results-file', files.resultsFile ?? '')
  outputs.set('failed-seeds-file', files.failedSeedsFile ?? '')
  if (files.resultsFile !== undefined) log.info(`Results: ${files.resultsFile}`)
  return files
}

/** None where there was nothing to run, and after a cancellation, which leaves no time for it. */
async function upload(
  { counts }: BatchReport,
  { inputs, folders, storage }: BatchContext,
  step: Step,
): Promise<Extract<ArtifactOutcome, { kind: 'uploaded' }> | undefined> {
  const { target, list, publishing } = inputs
  if (!publishing.uploadArtifact || counts.total === 0 || step.cancelled.aborted) return undefined
  const { folder } = folders
  const attempt = attemptOf(step.environment)
  // Artifacts of one workflow run share their names with those of its other jobs and attempts.
  const shard = list.shard ? `-shard-${list.shard.index}` : ''
  const own = `batch${shard}${attempt > 1 ? `-attempt-${attempt}` : ''}`
  const gather = async () => ({
    name: artifactNameFor(publishing.artifactName, target.automation, own),
    files: (await folders.files()).map((file) => path.join(folder, file)),
    folder,
    retentionDays: publishing.retentionDays,
  })
  const artifact = await uploadArtifact(gather, storage, step)
  reportArtifact(artifact, folder, step)
  return artifact.kind === 'uploaded' ? artifact : undefined
}

/** The runner may have ended the step while files were written or uploaded. */
function afterPublishing(report: BatchReport, { cancelled, outputs }: Step): BatchReport {
  if (!cancelled.aborted) return report
  if (report.conclusion !== 'cancelled') outputs.set('conclusion', 'cancelled')
  return { ...report, conclusion: 'cancelled' }
}

/** What is not a success as a whole has words about a re-run. */
async function isSavedForRerun(
  { conclusion, failing }: BatchReport,
  lost: readonly LostFile[],
  { saveForRerun }: BatchContext,
): Promise<boolean> {
  return (conclusion !== 'success' || failing > 0 || lost.length > 0) && (await saveForRerun())
}

function endOf(
  { counts, conclusion, stoppedBy, unreached }: BatchReport,
  { target: { automation } }: BatchInputs,
  isOnRecord: boolean,
): BatchEnd {
  const stop = stoppedBy && stopOf(stoppedBy)
  return { automation, counts, conclusion, stop, unreached, isOnRecord }
}

interface ReportParts {
  report: BatchReport
  end: BatchEnd
  survey: BatchSurvey
  place: BatchPlace
  lost: readonly LostFile[]
}

function annotate(
  { report, end, survey, place, lost }: ReportParts,
  { log, secrets }: Step,
): BatchFailure | undefined {
  if (report.failing > 0 || report.conclusion === 'cancelled') {
    for (const { input, why } of lost) log.note('copy-not-written', { input, why })
    const show = secrets.show
    const annotation = describeBatchFailure(end, survey, place, show)
    return { annotation, isOfFiles: false }
  }
  if (lost.length === 0) return undefined
  return { annotation: describeLostFiles(end, lost), isOfFiles: true }
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
