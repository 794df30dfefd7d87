/** Makes the record of one run of a batch from the report of the run. */
import path from 'node:path'
import { refusesCredentials } from '../../service/errors.ts'
import type { DownloadedFile } from '../../download/download.ts'
import type { NotAccepted } from '../../service/send-at-most-once.ts'
import type { Conclusion } from '../conclusion.ts'
import { conclusionOf, type End, type RunReport, type WatchEnd } from '../report.ts'
import type { RunRecord } from './batch.ts'

/** Returns the conclusion of a run of a batch. */
export function concludeRun(end: End | WatchEnd | NotAccepted): Conclusion {
  // Refused credentials say nothing about this run, so the run counts as not started.
  const isPrevented = end.kind === 'refused' && refusesCredentials(end.failure)
  return isPrevented ? 'not-started' : conclusionOf(end)
}

type Paths = Pick<RunRecord, 'resultFile' | 'logFile'>

/** Returns the paths of the files of a run, relative to `folder`. */
export function pathsOf({ end }: RunReport, folder: string): Paths {
  const files = end.kind === 'collected' ? end.files : undefined
  return {
    resultFile: pathWithin(folder, files?.result),
    logFile: pathWithin(folder, files?.log),
  }
}

function pathWithin(folder: string, file: DownloadedFile | undefined): string | undefined {
  if (file?.kind !== 'file') return undefined
  return path.relative(folder, file.path).split(path.sep).join('/')
}
