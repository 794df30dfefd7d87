/**
 * Follows an execution. If the execution certainly failed, starts a new execution (input
 * `retries`). No other source file makes retries.
 */
import { messageOf } from '../errors.ts'
import { growingPause } from '../service/backoff.ts'
import { isEndedByCancellation } from '../service/send-at-most-once.ts'
import type { RetriableOutcome } from './conclusion.ts'
import type { Ending } from './ending.ts'
import type { ExecutionReport } from './execution-report.ts'
import {
  followExecution,
  type Collaborators,
  type ExecutionPlan,
  type ProgressListener,
} from './follow-execution.ts'

/** The pause before the first retry, in milliseconds. Each further pause is twice as long. */
export const firstPause = 1_000
export const maxPause = 60_000

export interface RetryPlan extends ExecutionPlan {
  retries: number
  retryOn: ReadonlySet<RetriableOutcome>
}

export interface RetryListener extends ProgressListener {
  /**
   * Called when no further execution follows. If the conclusion depends on the check of the result,
   * the call comes after that check. Otherwise, the call comes before the files are fetched.
   */
  onSettled(report: ExecutionReport): void
  /** Called before a retry. Execution number `next` starts after `pause` milliseconds. */
  onRetry(report: ExecutionReport, pause: number, next: number): void
}

/**
 * Returns the report of the newest execution, with all executions in `attempts`. If the service
 * refuses a retry, returns the report of the failed execution. If a retry gets no clear answer,
 * returns the report of the retry. All executions share one deadline.
 */
export async function followWithRetries(
  given: RetryPlan,
  collaborators: Collaborators,
  listener: RetryListener,
): Promise<ExecutionReport> {
  const request = 'executionId' in given.begin ? given.request : given.begin
  const plan = { ...given, request }
  let report = await followNext(plan, undefined, collaborators, listener)
  while (request && isRetryDue(report, plan)) {
    const obstacle = await waitBeforeRetry(report, plan, collaborators, listener)
    if (obstacle) return settle(report, obstacle, listener)
    const next = await followNext({ ...plan, begin: request }, report, collaborators, listener)
    if (next.ending.kind === 'not-started') {
      return settle(report, whyNotStarted(next.ending, collaborators), listener)
    }
    await removeFiles(report, next, collaborators)
    report = next
  }
  return report
}

/** Removes the files of an execution, unless the next execution uses the same folder. */
async function removeFiles(
  { files }: ExecutionReport,
  next: ExecutionReport,
  { removeFolder }: Collaborators,
): Promise<void> {
  const folder = files?.folder
  if (folder !== undefined && folder !== next.files?.folder) await removeFolder(folder)
}

/** Returns true if a retry is left and the execution certainly ended with a retriable outcome. */
function isRetryDue({ ending, attempts }: ExecutionReport, plan: RetryPlan): boolean {
  // An execution of an earlier attempt that had already ended is only published.
  if ('ending' in plan.begin && plan.begin.ending !== undefined) return false
  // A run with a failure flag but without `finished` may not have ended.
  if (ending.kind !== 'finished' || !ending.status.finished) return false
  const isWanted = [...plan.retryOn].some((outcome) => outcome === ending.outcome)
  return isWanted && attempts.length <= plan.retries && plan.request !== undefined
}

/** Follows one execution. The returned report also lists the previous executions in `attempts`. */
async function followNext(
  plan: RetryPlan,
  before: ExecutionReport | undefined,
  collaborators: Collaborators,
  listener: RetryListener,
): Promise<ExecutionReport> {
  const withEarlier = (report: ExecutionReport): ExecutionReport => ({
    ...report,
    attempts: [...(before?.attempts ?? []), ...report.attempts],
  })
  const onEnding = (ended: ExecutionReport) => {
    const report = withEarlier(ended)
    listener.onEnding(report)
    // If the start of a retry is not accepted, the caller settles the previous execution.
    const counts = !before || ended.ending.kind !== 'not-started'
    const isUndecided = isResultDecisive(report, collaborators)
    if (counts && !isUndecided && !isRetryDue(report, plan)) listener.onSettled(report)
  }
  const report = withEarlier(await followExecution(plan, collaborators, { ...listener, onEnding }))
  const isDecided = isResultDecisive(report, collaborators)
  if (isDecided && !isRetryDue(report, plan)) listener.onSettled(report)
  return report
}

/** Returns true if the conclusion of the run depends on the check of the result. */
function isResultDecisive({ ending }: ExecutionReport, { checkResult }: Collaborators): boolean {
  if (checkResult === undefined || ending.kind !== 'finished') return false
  return ending.outcome === 'success' || ending.outcome === 'invalid-result'
}

/** Waits before a retry. Returns the reason if the retry must not be made. */
async function waitBeforeRetry(
  report: ExecutionReport,
  plan: RetryPlan,
  collaborators: Collaborators,
  listener: RetryListener,
): Promise<string | undefined> {
  const { clock, random } = collaborators
  const ended = report.attempts.length
  const pause = growingPause(firstPause, ended, maxPause, random)
  const obstacle = findObstacle(plan, pause, collaborators)
  if (obstacle) return obstacle
  listener.onRetry(report, pause, ended + 1)
  await clock.sleep(pause, plan.deadline.signal).catch(() => undefined)
  return findObstacle(plan, 0, collaborators)
}

/** Returns the reason that forbids a retry after `pause` milliseconds, or undefined. */
function findObstacle(
  { deadline }: RetryPlan,
  pause: number,
  { cancelled }: Collaborators,
): string | undefined {
  if (cancelled.aborted) return stepCancelled
  return pause >= deadline.remaining() ? 'no time was left (the input timeout)' : undefined
}

const stepCancelled = 'the step was cancelled'

function whyNotStarted(
  { failure }: Extract<Ending, { kind: 'not-started' }>,
  { cancelled }: Collaborators,
): string {
  return isEndedByCancellation(failure, cancelled) ? stepCancelled : messageOf(failure)
}

function settle(
  report: ExecutionReport,
  notRetried: string,
  listener: RetryListener,
): ExecutionReport {
  const settled = { ...report, notRetried }
  listener.onSettled(settled)
  return settled
}
