/** Publishes a finished batch in outputs, files, artifact, record, log, job summary and annotation. */
import path from 'node:path'
import type { BatchReport, BatchRow } from '../../execution/batch/batch-types.ts'
import { judgeBatch } from '../../messages/batch/judge-batch.ts'
import { nameRun, resultsOutput, resultsTooLarge, shownRow } from '../../messages/batch/runs.ts'
import { renderBatchSummary } from '../../messages/summary/batch-summary.ts'
import { Page } from '../../messages/summary/html.ts'
import {
  artifactNameFor,
  publishArtifact,
  replacesEarlier,
  type Artifact,
} from '../../runner/publish-artifact.ts'
import type { BatchInputs } from '../../runner/inputs/action-inputs.ts'
import type { OutputOf, OutputValues } from '../../runner/outputs.ts'
import { verdictOf, type Step, type Verdict } from '../../runner/step.ts'
import type { Storage } from '../../runner/storage/step-storage.ts'
import { publishSummary } from '../summarise.ts'
import type { Recorder } from '../../runner/record/recorder.ts'
import { readLogEnd } from '../file-ends.ts'
import { writeBatchFiles, type BatchFiles } from './batch-files.ts'
import type { RunFolders } from './run-folders.ts'

interface BatchContext {
  inputs: BatchInputs
  folders: RunFolders
  storage: Pick<Storage, 'upload'>
  recorder: Pick<Recorder, 'close' | 'isOnRecord' | 'reported'>
}

// The maximum size of all printed logs together, in bytes. Each log gets an equal part, but at
// least `minLog` bytes. When the maximum is reached, the remaining logs are not printed.
export const maxPrintedLogs = 1024 * 1024
const minLog = 8 * 1024

/**
 * Publishes a batch, saves its record, and returns the verdict of the step. The conclusion comes
 * first, so that a step that is cut short has it. The files come before the verdict, because a missing
 * file may fail the step. The record comes before the annotation, because the annotation says what a
 * re-run does.
 */
export async function publishBatch(
  report: BatchReport,
  context: BatchContext,
  step: Step<OutputOf<'batch'>>,
): Promise<Verdict> {
  const { inputs, folders, recorder } = context
  const { cancelled, log, heartbeat, outputs, secrets } = step
  heartbeat.begin('publishing')
  outputs.set(outputsOf(report))
  const { lost, resultsFile } = await publishBatchFiles(report, context, step)
  const artifact = await uploadBatch(report, context, step)
  const rows = report.rows.map((row) => shownRow(row, secrets.show))
  const shown = { ...report, rows }
  // If an output is missing, or the step was cancelled by now, the job is red. Then the record must
  // not say that the runs were reported: a re-run publishes these runs and pays for no others.
  const isWhole = () => !cancelled.aborted && !outputs.problem
  const isPublished = lost.length === 0 && !rows.some(({ failsStep }) => failsStep)
  const isComplete = () => report.conclusion === 'success' && isPublished && isWhole()
  const judgeNow = async () => {
    if (!isComplete()) await recorder.close()
    const judged = judgeBatch(shown, {
      automation: inputs.target.automation,
      artifact,
      resultsFile,
      lost,
      outputLost: outputs.problem,
      cancelled: cancelled.aborted,
      isOnRecord: recorder.isOnRecord,
    })
    outputs.set({ cause: judged.cause })
    return judged
  }

  const wasWhole = isWhole()
  let judged = await judgeNow()
  for (const { output, why } of judged.alsoLost) log.note('output-not-set', { name: output, why })
  if (judged.allowed) log.note('batch-failures-pass', judged.allowed)
  await printLogs(rows, context, step)
  log.verdict(judged.headline, !judged.fails)
  for (const line of judged.lines) log.info(line)
  const text = renderBatchSummary(judged.end, judged.notice, new Page(secrets.show))
  await publishSummary(text, inputs.publishing.summary, folders.stepFolder, step)
  if (isComplete()) await recorder.reported(cancelled)
  if (wasWhole && !isWhole()) judged = await judgeNow()
  return verdictOf(judged)
}

/** Returns the outputs that are known before the batch is published. */
function outputsOf(report: BatchReport): OutputValues<OutputOf<'batch'>> {
  const { conclusion, counts, rows, duration } = report
  return {
    conclusion,
    total: String(counts.total),
    succeeded: String(counts.succeeded),
    failed: String(counts.failed),
    unknown: String(counts.unknown),
    unfinished: String(counts.unfinished),
    'not-started': String(counts.notStarted),
    resumed: String(rows.some(({ isTakenOver }) => isTakenOver)),
    'duration-seconds': String(Math.round(duration / 1000)),
  }
}

async function publishBatchFiles(
  report: BatchReport,
  { inputs, folders }: BatchContext,
  step: Step<OutputOf<'batch'>>,
): Promise<BatchFiles> {
  const { log, outputs, secrets } = step
  log.title('Publish')
  const results = resultsOutput(report.rows, secrets.show)
  if (results === '') log.info(resultsTooLarge)
  const files = await writeBatchFiles(report, inputs, folders, step)
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
  step: Step<OutputOf<'batch'>>,
): Promise<Artifact | undefined> {
  const { target, publishing } = inputs
  if (!publishing.uploadArtifact || counts.total === 0 || step.cancelled.aborted) return undefined
  const { folder } = folders
  const gather = async () => ({
    name: artifactNameFor(publishing.artifactName, target.automation, 'batch', step),
    files: (await folders.files()).map((file) => path.join(folder, file)),
    folder,
    retentionDays: publishing.retentionDays,
    replaces: replacesEarlier(publishing.artifactName, step),
  })
  return await publishArtifact(gather, folder, storage, step)
}

/** Prints the logs as folded groups in the order of the seeds, with at most 1 MiB in total. */
async function printLogs(
  rows: readonly BatchRow[],
  { inputs, folders }: BatchContext,
  { log, secrets, cancelled }: Step,
): Promise<void> {
  const { printLog } = inputs.publishing
  if (printLog === 'never') return
  const wanted = rows.filter(({ failsStep }) => printLog === 'always' || failsStep)
  const share = Math.max(minLog, Math.floor(maxPrintedLogs / Math.max(1, wanted.length)))
  let rest = maxPrintedLogs
  for (const row of wanted) {
    if (cancelled.aborted || rest <= 0) return
    const { log_file } = row.facts
    if (log_file === null) continue
    const file = path.join(folders.folder, log_file)
    const end = await readLogEnd(file, Math.min(share, rest), secrets)
    if (end === undefined) {
      log.info(`The log of ${nameRun(row)} is not text, so it is not shown: ${log_file}`)
      continue
    }
    const text = end.trimEnd()
    rest -= Buffer.byteLength(text)
    if (text) log.untrustedBlock(`Log of ${nameRun(row)}`, text)
  }
}
