/** What the record of a run says of the files that it left. */
import path from 'node:path'
import type { CollectedFiles } from '../../download/collect.ts'
import type { DownloadedFile } from '../../download/download.ts'
import type { ExecutionReport } from '../execution-report.ts'
import type { RecordedRun } from '../rerun.ts'
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

/** A result that the record of an earlier attempt knows, and that the service has no link to now. */
export function isLostResult(
  { result }: CollectedFiles,
  recorded: RecordedRun,
  executionId: string | undefined,
): boolean {
  if (result.kind !== 'not-kept' || !('leftResult' in recorded)) return false
  return recorded.leftResult === true && recorded.executionId === executionId
}

/** Of a success: a run that is flagged as failed, and not finished, may have links yet. */
export function withLostResult(report: ExecutionReport, recorded: RecordedRun): ExecutionReport {
  const { files, executionId, conclusion } = report
  if (!files || conclusion !== 'success' || !isLostResult(files, recorded, executionId))
    return report
  const result = { kind: 'unavailable', why: 'the service no longer has it' } as const
  return { ...report, files: { ...files, result } }
}
