/** Makes the row of a run of a batch: its facts, what to do about it, and whether it fails the step. */
import { messageOf } from '../../errors.ts'
import { HttpError, refusesCredentials } from '../../service/service-errors.ts'
import { lostResultOf, type End, type RunReport } from '../report.ts'
import type { Row } from '../row.ts'
import type { Seen } from '../seen.ts'
import type { BatchState } from './batch-state.ts'
import { stopWords, type BatchRow, type BatchSeed, type StopReason } from './batch-types.ts'

/** What only the batch knows about a run that has ended. */
export interface RunFacts extends Pick<BatchRow, 'isTakenOver' | 'startedAt' | 'duration'> {
  seed: BatchSeed
  /** True if other runs were running when the newest execution or its start ended. */
  othersRan: boolean
  /** The number of executions of an earlier attempt of the job that this step replaced. */
  replaced: number
}

/** Returns the row of a run that this step followed to an end. */
export function followedRow(report: RunReport, run: RunFacts, batch: BatchState): BatchRow {
  const { env, plan, stop } = batch
  const end = endInBatch(report.end)
  const reason = end.kind === 'not-sent' ? stop.reasonFor(end.failure) : undefined
  // If the timeout ran out during a Retry-After, the answer of the service explains the end.
  const isHeld = end.kind === 'not-sent' && end.failure instanceof HttpError
  if (reason !== undefined && !(isHeld && reason === 'timed-out')) {
    return unstartedRow(reason, run, batch)
  }
  const facts = env.rowOf({ ...report, end })
  // A lost result fails the step even if the run succeeded, because later steps need the result.
  const failsStep = plan.isFailing(reason ?? facts.conclusion) || lostResultOf(end) !== undefined
  return rowFrom(facts, run, failsStep, env.nextStepAfter(end, run.othersRan))
}

/** Refused credentials say nothing about this run, so its start counts as not sent. */
function endInBatch(end: End): End {
  const isPrevented = end.kind === 'refused' && refusesCredentials(end.failure)
  return isPrevented ? { kind: 'not-sent', failure: end.failure, byCancel: false } : end
}

/** Returns the row of a run that was not started, because the batch had stopped. */
export function unstartedRow(
  reason: StopReason,
  run: RunFacts,
  { env, plan }: BatchState,
): BatchRow {
  const conclusion = 'not-started'
  const facts = env.rowOf({ executionId: undefined, conclusion, cause: stopWords[reason] })
  // For the input `fail-on`, a run that the timeout prevented counts as timed out.
  return rowFrom(facts, run, plan.isFailing(reason === 'timed-out' ? reason : conclusion))
}

/** Returns the row of a run whose earlier execution may be running and is no longer watched. */
export function unfinishedRow(
  executionId: string,
  seen: Seen,
  run: RunFacts,
  { env, plan, stop }: BatchState,
): BatchRow {
  const kind = env.cancelled.aborted ? 'cancelled' : 'timed-out'
  const cause = seen.failure ? messageOf(seen.failure) : stopWords[stop.reason ?? 'timed-out']
  const facts = env.rowOf({ executionId, conclusion: kind, cause })
  const advice = env.nextStepAfter({ kind, executionId, seen }, false)
  return rowFrom(facts, run, plan.isFailing(kind), advice)
}

/** Returns the row of a run that ended with an internal error. The run may have been started. */
export function failedRow(
  error: unknown,
  executionId: string | undefined,
  run: RunFacts,
  { env, plan }: BatchState,
): BatchRow {
  const conclusion = 'unknown'
  const facts = env.rowOf({ executionId, conclusion, cause: messageOf(error) })
  return rowFrom(facts, run, plan.isFailing(conclusion))
}

function rowFrom(facts: Row, run: RunFacts, failsStep: boolean, advice?: string): BatchRow {
  const { seed, isTakenOver, replaced, startedAt, duration } = run
  return {
    number: seed.number,
    label: seed.label,
    facts: {
      ...facts,
      execution_count: replaced + facts.execution_count,
      // The slot knows the duration of the whole run.
      duration_seconds: duration === undefined ? null : Math.round(duration / 1000),
    },
    isTakenOver,
    startedAt,
    duration,
    advice,
    failsStep,
  }
}
