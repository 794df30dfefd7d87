/**
 * Follows an execution, and starts another one if it certainly failed (`retries`). Only this file
 * starts an automation again.
 */
import { pauseBetweenExecutions } from '../service/backoff.ts'
import type { RetriableOutcome } from './conclusion.ts'
import type { Ending } from './ending.ts'
import type { ExecutionReport, NotRetried } from './execution-report.ts'
import {
  followExecution,
  type Collaborators,
  type ExecutionPlan,
  type ProgressListener,
} from './follow-execution.ts'

export interface RetryPlan extends ExecutionPlan {
  /** The number of executions that may follow the first one. */
  retries: number
  /** The outcomes after which another execution is started. */
  retryOn: ReadonlySet<RetriableOutcome>
}

export interface RetryListener extends ProgressListener {
  /**
   * The final end: no other execution follows. Called before result and log are fetched, or after
   * the check of the result if the check decides.
   */
  onSettled(report: ExecutionReport): void
  /** Execution number `next` (from 2) is started after `pause` milliseconds. */
  onRetry(report: ExecutionReport, pause: number, next: number): void
  /** The kept run of an earlier attempt has an invalid result, so another execution is started. */
  onInvalidKept(report: ExecutionReport): void
}

/**
 * Returns the report of the last execution that exists, with all executions as its attempts. If a
 * retry's start got no clear answer, returns the report of that start. The plan's deadline bounds
 * all executions together. Only the reported execution keeps its files, or the last one before an
 * unclear start.
 */
export async function followWithRetries(
  given: RetryPlan,
  collaborators: Collaborators,
  listener: RetryListener,
): Promise<ExecutionReport> {
  const request = 'executionId' in given.begin ? given.request : given.begin
  const plan = { ...given, request }
  let report = await followNext(plan, undefined, collaborators, listener)
  if (request && isInvalidKept(report, plan)) {
    listener.onInvalidKept(report)
    await removeFiles(report, undefined, collaborators)
    report = await followNext({ ...plan, begin: request }, undefined, collaborators, listener)
  }
  while (request && isRetryDue(report, plan)) {
    const obstacle = await waitBeforeRetry(report, plan, collaborators, listener)
    if (obstacle) return settle(report, obstacle, listener)
    const next = await followNext({ ...plan, begin: request }, report, collaborators, listener)
    if (next.ending.kind === 'not-started') {
      return settle(report, whyNotStarted(next.ending, collaborators), listener)
    }
    if (!next.filesBefore) await removeFiles(report, next, collaborators)
    report = next
  }
  return report
}

/** In a batch, all executions of one run share a folder. The next one may be using it. */
async function removeFiles(
  { files }: ExecutionReport,
  next: ExecutionReport | undefined,
  { removeFolder }: Collaborators,
): Promise<void> {
  const folder = files?.folder
  if (folder !== undefined && folder !== next?.files?.folder) await removeFolder(folder)
}

function isInvalidKept(
  { conclusion, resultProblems }: ExecutionReport,
  { begin, request }: Pick<RetryPlan, 'begin' | 'request'>,
): boolean {
  const isInvalid = conclusion === 'invalid-result' && resultProblems?.isUnchecked !== true
  return isInvalid && 'isKept' in begin && begin.isKept && request !== undefined
}

/** Returns true if the execution certainly ended in a way to retry, and another try is allowed. */
function isRetryDue(
  { ending, attempts, resultProblems }: ExecutionReport,
  plan: RetryPlan,
): boolean {
  // The same schema would run out of time again, after another paid run.
  if (resultProblems?.isUnchecked === true) return false
  // A run that is flagged as failed and not finished may still be running.
  if (ending.kind !== 'finished' || !ending.status.finished) return false
  const isWanted = [...plan.retryOn].some((outcome) => outcome === ending.outcome)
  return isWanted && attempts.length <= plan.retries && plan.request !== undefined
}

/** Follows one execution. Its report contains the earlier attempts, too. */
async function followNext(
  plan: RetryPlan,
  before: ExecutionReport | undefined,
  collaborators: Collaborators,
  listener: RetryListener,
): Promise<ExecutionReport> {
  const withEarlier = (report: ExecutionReport): ExecutionReport => ({
    ...report,
    attempts: [...(before?.attempts ?? []), ...report.attempts],
    filesBefore: report.ending.kind === 'unknown-start' ? before?.files : undefined,
  })
  const onEnding = (ended: ExecutionReport) => {
    const report = withEarlier(ended)
    listener.onEnding(report)
    // If the start is refused, the execution before it remains the last one.
    const counts = !before || ended.ending.kind !== 'not-started'
    const isOpen = isResultDecisive(report, collaborators)
    if (counts && !isOpen && !isRetryDue(report, plan)) listener.onSettled(report)
  }
  const report = withEarlier(await followExecution(plan, collaborators, { ...listener, onEnding }))
  const isFollowed = isRetryDue(report, plan) || isInvalidKept(report, plan)
  if (isResultDecisive(report, collaborators) && !isFollowed) listener.onSettled(report)
  return report
}

/** Returns true if the run ended well, so that only the check of its result decides. */
function isResultDecisive({ ending }: ExecutionReport, { checkResult }: Collaborators): boolean {
  if (checkResult === undefined || ending.kind !== 'finished') return false
  return ending.outcome === 'success' || ending.outcome === 'invalid-result'
}

/** Waits before the next execution is started. Returns the reason if it must not be started. */
async function waitBeforeRetry(
  report: ExecutionReport,
  plan: RetryPlan,
  collaborators: Collaborators,
  listener: RetryListener,
): Promise<NotRetried | undefined> {
  const { clock, random } = collaborators
  const ended = report.attempts.length
  const pause = pauseBetweenExecutions(ended, random)
  const obstacle = findObstacle(plan, pause, collaborators)
  if (obstacle) return obstacle
  listener.onRetry(report, pause, ended + 1)
  await clock.sleep(pause, plan.deadline.signal).catch(() => undefined)
  return findObstacle(plan, 0, collaborators)
}

/** Returns why no execution may be started after `pause` milliseconds, if that is known now. */
function findObstacle(
  { deadline, once }: RetryPlan,
  pause: number,
  { cancelled }: Collaborators,
): NotRetried | undefined {
  if (cancelled.aborted) return { kind: 'cancelled' }
  return once || pause >= deadline.remaining() ? { kind: 'time-up' } : undefined
}

function whyNotStarted(
  { failure }: Extract<Ending, { kind: 'not-started' }>,
  { cancelled }: Collaborators,
): NotRetried {
  return cancelled.aborted ? { kind: 'cancelled' } : { kind: 'refused', failure }
}

function settle(
  report: ExecutionReport,
  notRetried: NotRetried,
  listener: RetryListener,
): ExecutionReport {
  const settled = { ...report, notRetried }
  listener.onSettled(settled)
  return settled
}
