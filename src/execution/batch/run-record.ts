/** Makes the record of one run of a batch from the report of the run. */
import path from 'node:path'
import { isDiskFull } from '../../errors.ts'
import { refusesCredentials } from '../../service/errors.ts'
import type { DownloadedFile } from '../../download/download.ts'
import type { NotAccepted } from '../../service/send-at-most-once.ts'
import type { Conclusion } from '../conclusion.ts'
import { conclusionOf, type End, type RunReport, type WatchEnd } from '../report.ts'
import type { BatchEnv, RunRecord } from './batch.ts'

/** Returns the conclusion of a run of a batch. */
export function concludeRun(end: End | WatchEnd | NotAccepted): Conclusion {
  // Refused credentials say nothing about this run, so the run counts as not started.
  const isPrevented = end.kind === 'refused' && refusesCredentials(end.failure)
  return isPrevented ? 'not-started' : conclusionOf(end)
}

type ReportedFacts = Pick<
  RunRecord,
  'advice' | 'followed' | 'resultFile' | 'logFile' | 'isDiskFull'
>

/** Returns the fields of a run record that a report provides. Paths are relative to `folder`. */
export function reportedFacts(
  { end }: RunReport,
  { advice, followed }: ReturnType<BatchEnv['describe']>,
  folder: string,
): ReportedFacts {
  const files = end.kind === 'collected' ? end.files : undefined
  const result = files?.result
  return {
    advice,
    followed,
    resultFile: pathWithin(folder, result),
    logFile: pathWithin(folder, files?.log),
    isDiskFull: result?.kind === 'unavailable' && isDiskFull(result.failure),
  }
}

function pathWithin(folder: string, file: DownloadedFile | undefined): string | undefined {
  if (file?.kind !== 'file') return undefined
  return path.relative(folder, file.path).split(path.sep).join('/')
}
