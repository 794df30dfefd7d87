/** Decides what the end of a batch means for the step: whether the step fails, and what it says. */
import type { BatchReport } from '../../execution/batch/batch-types.ts'
import type { NoteValues } from '../catalogue.ts'
import type { LostFile } from '../loss.ts'
import { describeCount, describeElapsed } from '../quantities.ts'
import type { Judgement } from '../judge.ts'
import { countAllowedFailures, failsByRuns, type BatchEnd } from './end.ts'
import {
  adviceLines,
  batchCause,
  describeBatchFailure,
  describeLostFiles,
} from './batch-failure.ts'
import { describeBatchEnd } from './batch-progress.ts'

export interface BatchJudgement extends Judgement {
  /** The batch as the step reports it. */
  end: BatchEnd
  /** Missing files that the notice does not name, because runs fail the step. */
  alsoLost: readonly LostFile[]
  /** The failed runs, if `fail-on` lets the step pass in spite of them. */
  allowed: NoteValues<'batch-failures-pass'> | undefined
}

/** What decides about the step besides the ends of its runs. */
export interface BatchCircumstances extends Omit<BatchEnd, keyof BatchReport> {
  /** The files of outputs that could not be written. */
  lost: readonly LostFile[]
  /** The first output that could not be written. Undefined if all outputs were written. */
  outputLost: LostFile | undefined
}

/** The texts of the report's rows are redacted and shortened (`shownRow`). */
export function judgeBatch(report: BatchReport, facts: BatchCircumstances): BatchJudgement {
  const { lost, outputLost, ...circumstances } = facts
  const { cancelled, automation } = circumstances
  const end: BatchEnd = { ...report, ...circumstances }
  const isByRuns = failsByRuns(end)
  const missing = outputLost ? [...lost, outputLost] : lost
  const byLoss = missing.length > 0 ? describeLostFiles(end, missing) : undefined
  const notice = isByRuns ? describeBatchFailure(end) : byLoss
  const fails = notice !== undefined
  const { total, unfinished, unknown } = report.counts
  const count = String(countAllowedFailures(end))
  const values = { subject: automation, count, runs: describeCount(total, 'run') }
  return {
    end,
    fails,
    notice,
    cause: notice?.why[0] ?? batchCause(end),
    headline: notice
      ? `${notice.title} (after ${describeElapsed(report.duration)})`
      : describeBatchEnd(end),
    lines: !fails && unfinished + unknown > 0 ? adviceLines(end) : [],
    // If the step was cancelled, missing files are expected and need no warning.
    alsoLost: isByRuns && !cancelled ? lost : [],
    allowed: !fails && count !== '0' ? values : undefined,
  }
}
