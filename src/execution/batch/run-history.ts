/** The known state of one run of a batch, and the record that is made from it. */
import path from 'node:path'
import { refusesCredentials } from '../../service/errors.ts'
import type { DownloadedFile } from '../../download/download.ts'
import type { Conclusion } from '../conclusion.ts'
import type { ExecutionReport } from '../execution-report.ts'
import type { BatchCollaborators, BatchSeed, RunRecord, StopCause } from './batch.ts'

type Attempts = RunRecord['attempts']

export interface RunHistory {
  /** Executions of an earlier attempt in whose place this step starts another execution. */
  readonly replaced: Attempts
  /** The executions since then, as the last report names them. */
  readonly own: Attempts
  /** The last execution that is known. */
  readonly executionId: string | undefined
  /** How the run ended. Undefined until that is settled. */
  readonly conclusion: Conclusion | undefined
}

export const nothingRecorded: RunHistory = {
  replaced: [],
  own: [],
  executionId: undefined,
  conclusion: undefined,
}

export function attemptsOf({ replaced, own }: RunHistory): Attempts {
  return [...replaced, ...own]
}

export function withReplaced(
  history: RunHistory,
  executionId: string,
  conclusion: Conclusion,
): RunHistory {
  const replaced = [...history.replaced, { executionId, conclusion }]
  return { ...history, replaced, own: [] }
}

export function withReport(history: RunHistory, { attempts }: ExecutionReport): RunHistory {
  const own = attempts.map(({ executionId, conclusion }) => ({ executionId, conclusion }))
  return { ...history, own }
}

/** Returns how a run ended whose history has the report. */
export function concludeRun(
  history: RunHistory,
  { ending, conclusion }: ExecutionReport,
): Conclusion {
  if (ending.kind !== 'not-started') return conclusion
  // The last start was not accepted, but an earlier start was.
  const before = attemptsOf(history).at(-1)
  if (before) return before.conclusion
  // Refused credentials say nothing about this run. The run counts as not started.
  return refusesCredentials(ending.failure) ? 'not-started' : conclusion
}

/** The part of a record that only a report has. */
export type ReportedFacts = Pick<
  RunRecord,
  'advice' | 'members' | 'hadResult' | 'resultFile' | 'logFile' | 'isResultGone' | 'isUnchecked'
>

/** `folder`: the batch's folder. Paths in the record are relative to it. */
export function reportedFacts(
  { files, resultProblems }: ExecutionReport,
  { advice, members }: ReturnType<BatchCollaborators['describe']>,
  folder: string,
): ReportedFacts {
  const result = files?.result
  return {
    advice,
    members,
    hadResult: result && result.kind !== 'not-kept',
    resultFile: pathWithin(folder, result),
    logFile: pathWithin(folder, files?.log),
    isResultGone: result?.kind === 'unavailable' && result.obstacle === 'gone',
    isUnchecked: resultProblems?.isUnchecked,
  }
}

function pathWithin(folder: string, file: DownloadedFile | undefined): string | undefined {
  if (file?.kind !== 'file') return undefined
  return path.relative(folder, file.path).split(path.sep).join('/')
}

/** What only the writer of a record knows. */
export interface RunEnd {
  executionId: string | undefined
  /** Whether an earlier attempt of the job started the execution. */
  resumed: boolean
  /** The execution had ended before the first look, so its times are not known. */
  isTimeUnknown?: boolean
  cause: string | undefined
  stopReason?: StopCause['kind'] | undefined
  failsStep: boolean
  /** Undefined if nothing was followed to its end. */
  reported?: ReportedFacts
}

export function recordOf(
  { index, label }: BatchSeed,
  history: RunHistory,
  slot: Pick<RunRecord, 'startedAt' | 'endedAt'>,
  { executionId, resumed, isTimeUnknown, cause, stopReason, failsStep, reported }: RunEnd,
): RunRecord {
  return {
    index,
    label,
    executionId,
    conclusion: history.conclusion ?? 'unknown',
    attempts: attemptsOf(history),
    resumed,
    startedAt: isTimeUnknown ? undefined : slot.startedAt,
    endedAt: isTimeUnknown ? undefined : slot.endedAt,
    cause,
    advice: reported?.advice,
    members: reported?.members,
    stopReason,
    hadResult: reported?.hadResult,
    resultFile: reported?.resultFile,
    isResultGone: reported?.isResultGone,
    logFile: reported?.logFile,
    isUnchecked: reported?.isUnchecked,
    failsStep,
  }
}
