/** Publishes what a run left: texts as outputs, all files as one artifact. */
import path from 'node:path'
import { lastLines } from '../cut.ts'
import { pathOf } from '../download/download.ts'
import type { CollectedFiles } from '../download/collect.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { executionRecord } from '../messages/execution-record.ts'
import type { ResultPreview } from '../messages/summary/result.ts'
import { artifactNameFor, publishArtifact, type Artifact } from '../runner/publish-artifact.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { UploadOrder } from '../runner/storage/artifact-client.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import type { Step } from '../runner/step.ts'
import { writeWhole } from '../runner/whole-file.ts'
import { workflowRunOf } from '../runner/workflow-run.ts'
import { readLogEnd, readResultHead } from './file-ends.ts'

/** What publishing came to. */
export interface Published {
  /** The end of the log as people may see it; empty where there is none. */
  logTail: string
  /** Undefined where there is no result. Its text is not yet fit to be shown, but where it was cut. */
  result: ResultPreview | undefined
  artifact: Artifact | undefined
}

// A job may carry 1 MB of outputs, which GitHub counts as UTF-16: these two stay under 0.7 MB.
const maxResultOutput = 256 * 1024
const maxLogOutput = 64 * 1024
/** More of a log than this nobody reads in a step's log; the file is whole. */
const maxLogShown = 1024 * 1024

export async function publish(
  report: ExecutionReport,
  files: CollectedFiles,
  publishing: RunInputs['publishing'],
  storage: Pick<Storage, 'upload'>,
  step: Step,
): Promise<Published> {
  const { outputs, log } = step
  log.title('Publish')
  outputs.set('result-file', pathOf(files.result))
  outputs.set('log-file', pathOf(files.log))
  const texts = await publishTexts(files, step)
  const artifact = await upload(report, files, publishing, storage, step)
  return { ...texts, artifact }
}

/** Of an execution that may not have come to be: what the one before it left, and the record of all. */
export async function publishFilesBefore(
  report: ExecutionReport,
  files: CollectedFiles,
  publishing: RunInputs['publishing'],
  storage: Pick<Storage, 'upload'>,
  step: Step,
): Promise<void> {
  if (!publishing.uploadArtifact) return
  step.log.title('Publish')
  await upload(report, files, publishing, storage, step)
}

async function upload(
  report: ExecutionReport,
  files: CollectedFiles,
  publishing: RunInputs['publishing'],
  storage: Pick<Storage, 'upload'>,
  step: Step,
): Promise<Artifact | undefined> {
  if (!publishing.uploadArtifact) return undefined
  const gather = () => gatherFiles(report, files, publishing, step)
  return await publishArtifact(gather, files.folder, storage, step)
}

async function publishTexts(
  { result, log }: CollectedFiles,
  step: Step,
): Promise<Pick<Published, 'result' | 'logTail'>> {
  const head =
    result.kind === 'file'
      ? await readResultHead(result.path, maxResultOutput, step.secrets)
      : undefined
  const whole = head?.complete ? head.text : undefined
  step.outputs.set('result', whole ?? '')
  if (head && whole === undefined) {
    const why = head.complete ? 'is not text' : `has ${head.size} bytes, more than 256 KiB`
    step.log.info(`The result ${why}, so the output result stays empty: use result-file`)
  }
  const logTail = log.kind === 'file' ? await readLogEnd(log.path, maxLogShown, step.secrets) : ''
  step.outputs.set('log', lastLines(logTail, maxLogOutput))
  if (!head || result.kind !== 'file') return { result: undefined, logTail }
  const { path: file, mediaType } = result
  return { result: { ...head, name: path.basename(file), mediaType }, logTail }
}

/** The files of the run, and `execution.json` beside them. */
async function gatherFiles(
  report: ExecutionReport,
  { folder, result, log }: CollectedFiles,
  { artifactName, retentionDays }: RunInputs['publishing'],
  { environment, secrets }: Step,
): Promise<UploadOrder> {
  if (folder === undefined) throw new Error('there is no folder to put it together in')
  const recordFile = path.join(folder, 'execution.json')
  await writeWhole(recordFile, [executionRecord(report, workflowRunOf(environment), secrets.show)])
  const { automation = 'automation', attempts } = report
  const executionId = report.executionId ?? attempts.at(-1)?.executionId ?? ''
  const name = artifactNameFor(artifactName, automation, secrets.show(executionId))
  const files = [pathOf(result), pathOf(log), recordFile].filter((file) => file !== '')
  return { name, files, folder, retentionDays }
}
