/** Hands on what a run left: texts as outputs, copies in the workspace, all files as one artifact. */
import path from 'node:path'
import { lastLines } from '../cut.ts'
import { pathOf, type DownloadedFile } from '../download/download.ts'
import { readHead, readLastLines, textOf } from '../download/file-text.ts'
import type { CollectedFiles } from '../download/collect.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { showLog } from '../messages/text/shown-texts.ts'
import type { ResultPreview } from '../messages/summary/parts.ts'
import type { ArtifactOutcome, ArtifactUploader } from '../runner/artifact/publish-artifact.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step } from '../runner/step.ts'
import { makeStepFolder } from '../runner/workspace.ts'
import { copyFiles, type LostCopy } from './copies.ts'
import { tellFiles } from './tell-files.ts'
import { tellOfArtifact, uploadArtifact } from './upload-artifact.ts'

/** What publishing came to. */
export interface Published {
  /** The end of the log as people may see it; empty where there is none. */
  logTail: string
  /** Undefined where there is no result. Its text is not yet fit to be shown, but where it was cut. */
  result: ResultPreview | undefined
  artifact: ArtifactOutcome | undefined
  /** The copies that were asked for and could not be written. */
  lostCopies: readonly LostCopy[]
}

// A job may carry 1 MB of outputs, which GitHub counts as UTF-16: these two stay under 0.7 MB.
const longestResultOutput = 256 * 1024
const longestLogOutput = 64 * 1024
/** More of a log than this nobody reads in a step's log; the file is whole. */
const longestLogShown = 1024 * 1024

export async function publish(
  report: ExecutionReport,
  files: CollectedFiles,
  publishing: RunInputs['publishing'],
  uploader: ArtifactUploader | undefined,
  step: Step,
): Promise<Published> {
  const { outputs, log } = step
  tellFiles(report, files, step)
  const lostCopies = await copyFiles(publishing, report, files, step)
  log.title('Publish')
  outputs.set('result-file', pathOf(files.result))
  outputs.set('log-file', pathOf(files.log))
  // The texts are read and told while the files are on their way.
  const [texts, artifact] = await Promise.all([
    publishTexts(files, step),
    publishing.uploadArtifact
      ? uploadArtifact(report, files, publishing, uploader, step)
      : undefined,
  ])
  if (artifact) tellOfArtifact(artifact, files.folder, step)
  return { ...texts, artifact, lostCopies }
}

/** Of a step without files of its last execution: the record of those before it. */
export async function publishRecord(
  report: ExecutionReport,
  publishing: RunInputs['publishing'],
  uploader: ArtifactUploader | undefined,
  step: Step,
): Promise<void> {
  if (!publishing.uploadArtifact) return
  const folder = await makeStepFolder(step.environment).catch(() => undefined)
  const nothing = { kind: 'not-kept' } as const
  const files = { folder, result: nothing, log: nothing }
  step.log.title('Publish')
  tellOfArtifact(await uploadArtifact(report, files, publishing, uploader, step), folder, step)
}

async function publishTexts(
  { result, log }: CollectedFiles,
  step: Step,
): Promise<Pick<Published, 'result' | 'logTail'>> {
  const shown = await publishResult(result, step)
  const logTail = await readLogTail(log, step)
  step.outputs.set('log', lastLines(logTail, longestLogOutput))
  return { result: shown, logTail }
}

async function publishResult(
  file: DownloadedFile,
  { outputs, log, secrets }: Step,
): Promise<ResultPreview | undefined> {
  if (file.kind !== 'file') {
    outputs.set('result', '')
    return undefined
  }
  const head = await readHead(file.path, longestResultOutput)
  const text = textOf(head)
  const fits = text !== undefined && head.complete
  outputs.set('result', fits ? text : '')
  if (!fits) {
    const why = head.complete ? 'is not text' : `has ${head.size} bytes, more than 256 KiB`
    log.info(`The result ${why}, so the output result stays empty: use result-file`)
  }
  const { size, complete } = head
  return {
    name: path.basename(file.path),
    mediaType: file.mediaType,
    size,
    text: text === undefined || complete ? text : secrets.showBeginning(text),
    complete,
  }
}

async function readLogTail(file: DownloadedFile, { secrets }: Step): Promise<string> {
  if (file.kind !== 'file') return ''
  const tail = await readLastLines(file.path, longestLogShown)
  // A line that alone is longer: half a secret may be at its beginning.
  const isCut = file.size > longestLogShown && !tail.slice(0, -1).includes('\n')
  return showLog(tail, isCut ? secrets.showEnd : secrets.show)
}
