/**
 * Follows one run: starts an execution or takes one over, waits for its end, fetches its files and
 * validates its result. If an execution certainly failed, starts a new one (input `retries`). Prints
 * nothing and sets no outputs.
 */
import { messageOf } from '../errors.ts'
import { growingPause } from '../service/backoff.ts'
import type { NotAccepted } from '../service/send-at-most-once.ts'
import type { TakenOver } from './begin.ts'
import { collectRun, type CollectEnv } from './collect-run.ts'
import type { RetriableOutcome } from './conclusion.ts'
import type { Emit } from './events.ts'
import {
  conclusionOf,
  endOfWatch,
  executionIdOf,
  type End,
  type Execution,
  type RunReport,
  type Target,
  type WatchEnd,
} from './report.ts'
import { nothingSeen, proofIn, type Seen } from './seen.ts'
import { startRun, type StartEnv } from './start-run.ts'
import { watch, type StepEnv, type WatchPlan } from './watch.ts'

export interface RunSpec extends Omit<WatchPlan, 'until'> {
  /** The execution with which the run begins. Undefined if the run begins with a start. */
  takenOver: TakenOver | undefined
  target: Target | undefined
  retrying: Retrying
}

/** How many executions may follow the first one, and after which outcomes. */
export interface Retrying {
  retries: number
  retryOn: ReadonlySet<RetriableOutcome>
}

/** For a step that starts no execution. */
export const noRetries: Retrying = { retries: 0, retryOn: new Set() }

export interface RunEnv extends CollectEnv, StartEnv {
  /** Removes a folder that `makeFolder` made, with all its files. Never rejects. */
  removeFolder: (folder: string) => Promise<void>
}

/** What all runs of a step share. */
export type SharedEnv = Pick<
  RunEnv,
  keyof StepEnv | 'store' | 'removeFolder' | 'readCause' | 'validate'
>

/**
 * Returns the report of the newest execution. If a retry is not started, returns the report of the
 * failed execution. If a retry gets no clear answer, returns the report of the retry. All
 * executions share one deadline.
 */
export async function followRun(spec: RunSpec, env: RunEnv, emit: Emit): Promise<RunReport> {
  let report = await followExecution(spec, spec.takenOver, [], env, emit)
  while (isRetryDue(report.end, report.executions.length, spec)) {
    const obstacle = await waitBeforeRetry(report, spec, env, emit)
    if (obstacle !== undefined) return { ...report, notRetried: obstacle }
    const retry = await followExecution(spec, undefined, report.executions, env, emit)
    if (isNotStarted(retry.end)) return { ...report, notRetried: whyNotStarted(retry.end) }
    await removeFiles(report.end, retry.end, env)
    report = retry
  }
  return report
}

/** Follows the first execution of a run, or the retry after the executions in `earlier`. */
async function followExecution(
  spec: RunSpec,
  takenOver: TakenOver | undefined,
  earlier: readonly Execution[],
  env: RunEnv,
  emit: Emit,
): Promise<RunReport> {
  const { clock } = env
  const { target, deadline } = spec
  const since = takenOver?.since ?? { at: clock.now(), on: clock.date() }
  const count = earlier.length + 1

  const reached = takenOver
    ? await watchToEnd(takenOver.executionId, takenOver.seen, spec, env, emit)
    : await startAndWatch(spec, env, emit)
  const times = { startedOn: since.on, finishedOn: clock.date(), duration: clock.now() - since.at }
  const { startedOn, finishedOn, duration } = takenOver?.ownTimes ?? times
  // A retry that was not started changes nothing: the execution before it decides the run.
  if (count === 1 || !isNotStarted(reached)) {
    emit({ kind: 'ended', end: reached, isRetryDue: isRetryDue(reached, count, spec) })
  }
  const isFinished = reached.kind === 'finished'
  const end = isFinished ? await collectRun(reached, deadline.at, env, emit) : reached
  if (end.kind === 'collected') {
    emit({ kind: 'collected', end, isRetryDue: isRetryDue(end, count, spec) })
  }

  const own = executionOf(end, startedOn, finishedOn)
  return {
    target,
    end,
    executions: own ? [...earlier, own] : earlier,
    watched: takenOver ? watchedOf(takenOver.seen, reached) : 'all',
    startedOn,
    finishedOn,
    duration,
  }
}

async function startAndWatch(
  spec: RunSpec,
  env: RunEnv,
  emit: Emit,
): Promise<NotAccepted | WatchEnd> {
  const started = await startRun(spec.deadline.signal, env, emit)
  if (started.kind !== 'started') return started
  return await watchToEnd(started.executionId, nothingSeen, spec, env, emit)
}

/** Watches an execution until its end is seen, or until the step stops waiting. */
async function watchToEnd(
  executionId: string,
  before: Seen,
  { pollInterval, deadline, lastCheckTime }: RunSpec,
  env: RunEnv,
  emit: Emit,
): Promise<WatchEnd> {
  const plan = { until: 'end', pollInterval, deadline, lastCheckTime } as const
  const seen = await watch(executionId, before, plan, env, emit)
  return endOfWatch(executionId, seen, deadline.signal)
}

function watchedOf(before: Seen, end: NotAccepted | WatchEnd): RunReport['watched'] {
  // The check of an earlier attempt's execution may prove its end. Then no further check is made.
  const isProven = proofIn(before) !== undefined
  return isProven || ('seen' in end && end.seen.checks <= 1) ? 'one-check' : 'a-part'
}

function executionOf(end: End, startedOn: Date, finishedOn: Date): Execution | undefined {
  const executionId = executionIdOf(end)
  if (executionId === undefined) return undefined
  const cause = end.kind === 'collected' ? end.cause : undefined
  return { executionId, conclusion: conclusionOf(end), cause, startedOn, finishedOn }
}

/** Returns true if a retry is left and the execution certainly ended with a retriable outcome. */
function isRetryDue(
  end: End | WatchEnd,
  executions: number,
  { takenOver, retrying: { retries, retryOn } }: RunSpec,
): boolean {
  // An execution that had ended before this step is only published.
  if (takenOver && proofIn(takenOver.seen)) return false
  if (end.kind !== 'finished' && end.kind !== 'collected') return false
  // A run with a failure flag but without `finished` may not have ended.
  if (!end.status.finished) return false
  const conclusion = conclusionOf(end)
  return executions <= retries && [...retryOn].some((outcome) => outcome === conclusion)
}

/** The pause before the first retry, in milliseconds. Each further pause is twice as long. */
export const firstRunRetryPause = 1_000
export const maxRunRetryPause = 60_000

/** Waits before a retry. Returns the reason if the retry must not be made. */
async function waitBeforeRetry(
  report: RunReport,
  spec: RunSpec,
  env: RunEnv,
  emit: Emit,
): Promise<string | undefined> {
  const { clock, random } = env
  const pause = growingPause(firstRunRetryPause, report.executions.length, maxRunRetryPause, random)
  const obstacle = findObstacle(pause, spec, env)
  if (obstacle !== undefined) return obstacle
  emit({ kind: 'retrying', report, max: spec.retrying.retries + 1, pause })
  await clock.sleep(pause, env.noMoreStarts ?? spec.deadline.signal).catch(() => undefined)
  return findObstacle(0, spec, env)
}

/** Returns the reason that forbids a retry after `pause` milliseconds, or undefined. */
function findObstacle(
  pause: number,
  { deadline }: RunSpec,
  { cancelled, noMoreStarts }: RunEnv,
): string | undefined {
  if (cancelled.aborted) return stepCancelled
  if (pause >= deadline.remaining()) return 'no time was left (the input timeout)'
  return noMoreStarts?.aborted === true ? messageOf(noMoreStarts.reason) : undefined
}

const stepCancelled = 'the step was cancelled'

type NotStarted = Exclude<NotAccepted, { kind: 'unclear' }>

function isNotStarted(end: End | WatchEnd): end is NotStarted {
  return end.kind === 'refused' || end.kind === 'not-sent'
}

function whyNotStarted(end: NotStarted): string {
  return end.kind === 'not-sent' && end.byCancel ? stepCancelled : messageOf(end.failure)
}

/** Removes the files of an execution, unless the next execution uses the same folder. */
async function removeFiles(end: End, next: End, { removeFolder }: RunEnv): Promise<void> {
  const folder = folderOf(end)
  if (folder !== undefined && folder !== folderOf(next)) await removeFolder(folder)
}

function folderOf(end: End): string | undefined {
  return end.kind === 'collected' ? end.files.folder : undefined
}
