/** Hands on what a run left: texts as outputs, files as one artifact. */
import path from 'node:path'
import { lastLines } from '../cut.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { ArtifactOutcome, ArtifactUploader } from '../runner/artifact/publish-artifact.ts'
import { readHead, readLastLines, textOf } from '../download/file-text.ts'
import { lines } from '../messages/text/untrusted-text.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step } from '../runner/step.ts'
import { asTerminalShows } from '../messages/text/terminal-text.ts'
import type { Files } from './collecting.ts'
import { statusOutput, type RunRecord } from '../messages/execution-record.ts'
import { pathOf, uploadFiles } from './uploading.ts'

/** What a run left, as far as it can be shown. */
export interface Published {
  files: Files
  /** The end of the log as people may see it; empty where there is none. */
  logTail: string
  result: ResultHead | undefined
  artifact: ArtifactOutcome | undefined
}

export interface ResultHead {
  name: string
  mediaType: string
  /** Bytes of the whole result. */
  size: number
  /** Its beginning, not yet fit to be shown; undefined where it is no text. */
  text: string | undefined
  /** Whether `text` is the whole result. */
  complete: boolean
}

export interface PublishingPlan {
  files: Files
  record: RunRecord
  publishing: RunInputs['publishing']
}

// A job may carry 1 MB of outputs, which GitHub counts as UTF-16: these two stay under 0.7 MB.
const longestResultOutput = 256 * 1024
const longestLogOutput = 64 * 1024
/** More of a log than this nobody reads in a step's log; the file is whole. */
const longestLogShown = 1024 * 1024

/** The outputs that need no file; they come first, since fetching files takes time and may fail. */
export function publishFacts(record: RunRecord, { outputs }: Step): void {
  outputs.set('conclusion', record.conclusion)
  outputs.set('status', statusOutput(record.status))
  const seconds = Math.round((record.finishedAt - record.run.startedAt) / 1000)
  outputs.set('duration-seconds', String(seconds))
}

export async function publishFiles(
  { files, record, publishing }: PublishingPlan,
  uploader: ArtifactUploader | undefined,
  step: Step,
): Promise<Published> {
  const { outputs, log } = step
  log.title('Publish')
  outputs.set('result-file', pathOf(files.result))
  outputs.set('log-file', pathOf(files.log))
  const result = await publishResult(files.result, step)
  const logTail = await readLogTail(files.log, step)
  outputs.set('log', lastLines(logTail, longestLogOutput))
  const artifact = publishing.uploadArtifact
    ? await uploadFiles({ files, record, publishing }, uploader, step)
    : undefined
  return { files, logTail, result, artifact }
}

async function publishResult(
  kept: DownloadedFile,
  { outputs, log }: Step,
): Promise<ResultHead | undefined> {
  if (kept.kind !== 'file') {
    outputs.set('result', '')
    return undefined
  }
  const head = await readHead(kept.path, longestResultOutput)
  const text = textOf(head)
  const fits = text !== undefined && head.complete
  outputs.set('result', fits ? text : '')
  if (!fits) {
    const why = head.complete ? 'is not text' : `has ${head.size} bytes, more than 256 KiB`
    log.info(`The result ${why}, so the output result stays empty: use result-file`)
  }
  const { size, complete } = head
  return { name: path.basename(kept.path), mediaType: kept.mediaType, size, text, complete }
}

/** As a terminal would leave it, and fit to be shown before anything of it is cut. */
async function readLogTail(kept: DownloadedFile, { secrets }: Step): Promise<string> {
  if (kept.kind !== 'file') return ''
  const text = asTerminalShows(await readLastLines(kept.path, longestLogShown))
  return lines(secrets.show(text)).join('\n')
}
