/** What one run of a batch came to. */
import path from 'node:path'
import type { CollectedFiles } from '../../download/collect.ts'
import type { DownloadedFile } from '../../download/download.ts'
import { messageOf } from '../../errors.ts'
import type { Conclusion } from '../conclusion.ts'
import type { ExecutionAttempt, ExecutionReport } from '../execution-report.ts'
import type { RecordedRun } from '../rerun.ts'
import type { SchemaProblems } from '../result-problems.ts'

/** Why a batch starts no more runs. */
export type StopReason = 'cancelled' | 'timed-out' | 'credentials' | 'fail-fast' | 'internal-error'

/** All are kept in memory: it names files, and holds none. */
export interface RunRecord {
  /** Of the seed in the whole list, from 0. */
  index: number
  /** As found in the seed: untrusted, any text. */
  label: string | undefined
  executionId: string | undefined
  conclusion: Conclusion
  /** Every execution of this run, the last one included. */
  attempts: readonly Pick<ExecutionAttempt, 'executionId' | 'conclusion'>[]
  /** Whether an earlier attempt of the job had started the execution. */
  resumed: boolean
  /** Milliseconds since the batch began; undefined where it held no slot. */
  startedAt: number | undefined
  /** The run's end, before its files were fetched. */
  endedAt: number | undefined
  /** Why it failed, or what is missing of it, fit to be shown: from its log, or what the service said. */
  cause: string | undefined
  /** Why its turn did not come, where it did not; what an earlier attempt started may be over. */
  stopReason?: StopReason | undefined
  /** Whether the service kept a result, fetched or not; undefined where that is not known. */
  leftResult?: boolean | undefined
  /** Relative to the batch's folder, with `/`. */
  resultFile?: string | undefined
  logFile?: string | undefined
  /** Whether this run fails the step. */
  failsStep: boolean
}

export interface ShowsTexts {
  /** What people may see of words of the service: one line, bounded. */
  showWords: (text: string) => string
  /** The same of what keeps a result from being what its schema asks for. */
  showProblems: (problems: SchemaProblems) => string
}

/** Why a run did not succeed, or what is missing of it. */
export function causeOf(
  { conclusion, cause, ending, files, resultProblems }: ExecutionReport,
  { showWords, showProblems }: ShowsTexts,
): string | undefined {
  if (resultProblems) return showProblems(resultProblems)
  if (cause) return cause.isLastLine ? `last line of its log: ${cause.text}` : cause.text
  if ('failure' in ending && ending.failure !== undefined) {
    return showWords(messageOf(ending.failure))
  }
  // Beside a failure it is a warning, and does not explain it.
  if (conclusion !== 'success' || files?.result.kind !== 'unavailable') return undefined
  return showWords(`the result could not be fetched: ${files.result.why}`)
}

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

export function withLostResult(report: ExecutionReport, recorded: RecordedRun): ExecutionReport {
  const { files, executionId } = report
  if (!files || !isLostResult(files, recorded, executionId)) return report
  const result = { kind: 'unavailable', why: 'the service no longer has it' } as const
  return { ...report, files: { ...files, result } }
}
