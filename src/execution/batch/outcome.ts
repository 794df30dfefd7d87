/** From what became of an execution to what a run's record says of it. */
import path from 'node:path'
import type { CollectedFiles } from '../../download/collect.ts'
import type { DownloadedFile } from '../../download/download.ts'
import { messageOf } from '../../errors.ts'
import { HttpError, NotSentError } from '../../service/errors.ts'
import type { Conclusion } from '../conclusion.ts'
import type { RunRecord } from './record.ts'
import type { ExecutionReport } from '../execution-report.ts'
import type { Stop } from './stop.ts'

/**
 * What a run came to. Where its last start was not accepted, but one before was: what that one came
 * to. A refusal of the credentials is not about the run: it counts as one whose turn did not come.
 */
export function conclude(
  { ending, conclusion }: Pick<ExecutionReport, 'ending' | 'conclusion'>,
  attempts: RunRecord['attempts'],
): Conclusion {
  if (ending.kind !== 'not-started') return conclusion
  const before = attempts.at(-1)
  if (before) return before.conclusion
  return refusesCredentials(ending.failure) ? 'not-started' : conclusion
}

/** Whether a start was answered 401 or 403. */
export function refusesCredentials(failure: unknown): boolean {
  return failure instanceof HttpError && [401, 403].includes(failure.status)
}

/**
 * Whether the step's time ran out while the start waited to be sent, as all do during a
 * `Retry-After`: that run is as one whose turn did not come.
 */
export function isOutOfTime(
  { ending }: Pick<ExecutionReport, 'ending'>,
  { reason, signal }: Pick<Stop, 'reason' | 'signal'>,
): boolean {
  if (reason !== 'timed-out' || ending.kind !== 'not-started') return false
  return ending.failure instanceof NotSentError && ending.failure.cause === signal.reason
}

/** Why a run did not succeed, or what is missing of it. */
export function causeOf(
  { cause, ending, files }: Pick<ExecutionReport, 'cause' | 'ending' | 'files'>,
  showWords: (text: string) => string,
): string | undefined {
  if (cause) return cause.text
  if ('failure' in ending && ending.failure !== undefined) {
    return showWords(messageOf(ending.failure))
  }
  return missingOf(files, showWords)
}

/** What is said of a result that was kept and could not be fetched. */
export function missingOf(
  files: CollectedFiles | undefined,
  showWords: (text: string) => string,
): string | undefined {
  if (files?.result.kind !== 'unavailable') return undefined
  return showWords(`the result could not be fetched: ${files.result.why}`)
}

/** The paths of the files as a record has them: relative to the batch's folder. */
export function pathsOf(
  files: CollectedFiles | undefined,
  folder: string,
): Pick<RunRecord, 'resultFile' | 'logFile'> {
  const within = (file: DownloadedFile | undefined) =>
    file?.kind === 'file' ? path.relative(folder, file.path).split(path.sep).join('/') : undefined
  return { resultFile: within(files?.result), logFile: within(files?.log) }
}
