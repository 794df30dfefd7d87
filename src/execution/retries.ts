/**
 * Follows an execution, and starts another one after it where it failed for certain (`retries`).
 * The one place that starts an automation again.
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
  /** How many executions may follow the first one. */
  retries: number
  /** After which outcomes. */
  retryOn: ReadonlySet<RetriableOutcome>
}

export interface RetryCollaborators extends Collaborators {
  /** Removes a folder that `makeFolder` made, with all that is in it. Never rejects. */
  removeFolder: (folder: string) => Promise<void>
}

export interface RetryListener extends ProgressListener {
  /**
   * The end that counts: no other execution follows. Before result and log are fetched where that
   * is known by then; after the result was checked where it is.
   */
  onSettled(report: ExecutionReport): void
  /** Execution number `next` (from 2) is started after `pause` milliseconds. */
  onRetry(report: ExecutionReport, pause: number, next: number): void
  /** What was kept has an invalid result: another execution is started in its place. */
  onOutdated(report: ExecutionReport): void
}

/**
 * The report of the last execution that came to be, with all of them as its attempts; of one that
 * may or may not have come to be, where its start got no clear answer. The plan's deadline bounds all
 * executions together. Files are kept of the reported one, or of the last before an unclear start.
 */
export async function followWithRetries(
  given: RetryPlan,
  collaborators: RetryCollaborators,
  listener: RetryListener,
): Promise<ExecutionReport> {
  const request = 'executionId' in given.begin ? given.request : given.begin
  const plan = { ...given, request }
  let report = await followNext(plan, undefined, collaborators, listener)
  if (request && isOutdated(report, plan)) {
    listener.onOutdated(report)
    await removeFiles(report, undefined, collaborators)
    report = await followNext({ ...plan, begin: request }, undefined, collaborators, listener)
  }
  while (request && isRetryDue(report, plan)) {
    const obstacle = await pauseAfter(report, plan, collaborators, listener)
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

/** The runs of a batch have one folder each, which the next execution has got, where it left files. */
async function removeFiles(
  { files }: ExecutionReport,
  next: ExecutionReport | undefined,
  { removeFolder }: RetryCollaborators,
): Promise<void> {
  const folder = files?.folder
  if (folder !== undefined && folder !== next?.files?.folder) await removeFolder(folder)
}

function isOutdated(
  { conclusion, resultProblems }: ExecutionReport,
  { begin, request }: Pick<RetryPlan, 'begin' | 'request'>,
): boolean {
  const isInvalid = conclusion === 'invalid-result' && resultProblems?.isUnchecked !== true
  return isInvalid && 'isKept' in begin && begin.isKept && request !== undefined
}

/** Whether it ended for certain, in a way that is to be retried, and was not the last one allowed. */
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

/** Follows one execution, whose report has the attempts before it too. */
async function followNext(
  plan: RetryPlan,
  before: ExecutionReport | undefined,
  collaborators: RetryCollaborators,
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
    // A start that was refused leaves the execution before it the last one.
    const counts = !before || ended.ending.kind !== 'not-started'
    const isOpen = isResultDecisive(report, collaborators)
    if (counts && !isOpen && !isRetryDue(report, plan)) listener.onSettled(report)
  }
  const report = withEarlier(await followExecution(plan, collaborators, { ...listener, onEnding }))
  const isFollowed = isRetryDue(report, plan) || isOutdated(report, plan)
  if (isResultDecisive(report, collaborators) && !isFollowed) listener.onSettled(report)
  return report
}

/** Whether the run ended well, so that the check of its result says what it has come to. */
function isResultDecisive(
  { ending }: ExecutionReport,
  { checkResult }: RetryCollaborators,
): boolean {
  if (checkResult === undefined || ending.kind !== 'finished') return false
  return ending.outcome === 'success' || ending.outcome === 'invalid-result'
}

/** Waits before the next execution is started; returns why it must not be, where so. */
async function pauseAfter(
  report: ExecutionReport,
  plan: RetryPlan,
  collaborators: RetryCollaborators,
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

/** Why nothing may be started after `pause` milliseconds, as far as that is known now. */
function findObstacle(
  { deadline, once }: RetryPlan,
  pause: number,
  { cancelled }: RetryCollaborators,
): NotRetried | undefined {
  if (cancelled.aborted) return { kind: 'cancelled' }
  return once || pause >= deadline.remaining() ? { kind: 'time-up' } : undefined
}

function whyNotStarted(
  { failure }: Extract<Ending, { kind: 'not-started' }>,
  { cancelled }: RetryCollaborators,
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
