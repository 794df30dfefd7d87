/** What the record of a run says of the files that it left. */
import path from 'node:path'
import type { CollectedFiles } from '../../download/collect.ts'
import type { DownloadedFile } from '../../download/download.ts'
import type { RunRecord } from './batch.ts'

type FileFacts = Pick<RunRecord, 'leftResult' | 'resultFile' | 'logFile'>

/** Paths are relative to the batch's folder. */
export function filesOf(files: CollectedFiles | undefined, folder: string): FileFacts {
  const within = (file: DownloadedFile | undefined) =>
    file?.kind === 'file' ? path.relative(folder, file.path).split(path.sep).join('/') : undefined
  return {
    leftResult: files && files.result.kind !== 'not-kept',
    resultFile: within(files?.result),
    logFile: within(files?.log),
  }
}
