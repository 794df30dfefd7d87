/** Keeps the known state of one run of a batch, and makes the record of the run from this state. */
import path from 'node:path'
import { refusesCredentials } from '../../service/errors.ts'
import type { DownloadedFile } from '../../download/download.ts'
import type { Conclusion } from '../conclusion.ts'
import type { ExecutionReport } from '../execution-report.ts'
import type { BatchSeed, EarlierEnd, RunRecord, StopCause } from './batch.ts'

type Attempts = RunRecord['attempts']

export interface RunHistory {
  /** The earlier executions that this step replaced with new executions. */
  readonly replaced: Attempts
  /** The executions that were not replaced, from the newest report of the run. */
  readonly own: Attempts
  /** The id of the newest execution. Undefined if no execution is known. */
  readonly executionId: string | undefined
  /** How the run ended. Undefined until the conclusion is final. */
  readonly conclusion: Conclusion | undefined
}

export const nothingRecorded: RunHistory = {
  replaced: [],
  own: [],
  executionId: undefined,
  conclusion: undefined,
}

function attemptsOf({ replaced, own }: RunHistory): Attempts {
  return [...replaced, ...own]
}

export function withReplaced(
  history: RunHistory,
  { executionId, conclusion }: EarlierEnd,
): RunHistory {
  const attempt = { executionId, conclusion: conclusion ?? 'unknown' } as const
  return { ...history, replaced: [...history.replaced, attempt], own: [] }
}

export function withReport(history: RunHistory, { attempts }: ExecutionReport): RunHistory {
  const own = attempts.map(({ executionId, conclusion }) => ({ executionId, conclusion }))
  return { ...history, own }
}

export function concludeRun({ ending, conclusion }: ExecutionReport): Conclusion {
  // Refused credentials say nothing about this run, so the run counts as not started.
  const isPrevented = ending.kind === 'not-started' && refusesCredentials(ending.failure)
  return isPrevented ? 'not-started' : conclusion
}

type ReportedFacts = Pick<RunRecord, 'advice' | 'followed' | 'resultFile' | 'logFile'>

/** Returns the fields of a run record that a report provides. Paths are relative to `folder`. */
export function reportedFacts(
  { files }: ExecutionReport,
  { advice, followed }: Pick<RunRecord, 'advice' | 'followed'>,
  folder: string,
): ReportedFacts {
  const result = files?.result
  return {
    advice,
    followed,
    resultFile: pathWithin(folder, result),
    logFile: pathWithin(folder, files?.log),
  }
}

function pathWithin(folder: string, file: DownloadedFile | undefined): string | undefined {
  if (file?.kind !== 'file') return undefined
  return path.relative(folder, file.path).split(path.sep).join('/')
}

/** The fields of a run record that are known only when the run has finished. */
export interface RunEnd {
  executionId: string | undefined
  resumed: boolean
  /** True if the times are unknown, because the execution ended before this step's first check. */
  isTimeUnknown?: boolean
  cause: string | undefined
  stopReason?: StopCause | undefined
  failsStep: boolean
  /** The fields from the report of the run. Undefined if the step did not follow the run. */
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
    followed: reported?.followed,
    stopReason,
    resultFile: reported?.resultFile,
    logFile: reported?.logFile,
    failsStep,
  }
}
