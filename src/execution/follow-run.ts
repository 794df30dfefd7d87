/**
 * Follows one run: starts an execution or takes one over, waits for its end, fetches its files and
 * validates its result. If an execution certainly failed, starts a new one (input `retries`). Prints
 * nothing and sets no outputs.
 */
import { messageOf } from '../errors.ts'
import type { CollectContext } from '../download/collect.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { Store } from '../download/store.ts'
import { growingPause } from '../service/backoff.ts'
import type { StartAnswer } from '../service/contract.ts'
import { sendAtMostOnce, type NotAccepted } from '../service/send-at-most-once.ts'
import type { Begin } from './begin.ts'
import type { Cause } from '../cause/find-cause.ts'
import { isExplainedByLog, type RetriableOutcome } from './conclusion.ts'
import type { Emit } from './events.ts'
import {
  conclusionOf,
  endOfWatch,
  executionIdOf,
  type Collected,
  type End,
  type Execution,
  type RunReport,
  type Target,
  type Validation,
  type WatchEnd,
} from './report.ts'
import { nothingSeen, proofIn, type Seen } from './seen.ts'
import { watch, type StepEnv, type WatchEnv, type WatchPlan } from './watch.ts'

export interface RunSpec extends Omit<WatchPlan, 'until'> {
  begun: Begin
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

/**
 * Sends one start. The second signal aborts at the timeout or cancellation of the step, and ends the
 * request as long as no connection is made. The first signal aborts later (`lastAnswerTime`), and ends
 * the request. In a batch, waits for its turn, and rejects with a `NotSentError` if the batch stops
 * first.
 */
export type SendStart = (
  untilAnswered: AbortSignal,
  untilConnected: AbortSignal,
) => Promise<StartAnswer>

/** A result that was fetched, or that the service does not keep. */
export type FetchedResult = Exclude<DownloadedFile, { kind: 'unavailable' }>

/** Returns what became of the validation of a result. Rejects if the step is cancelled. */
export type Validate = (result: FetchedResult) => Promise<Validation>

/** What all runs of a step share. */
export interface SharedEnv extends StepEnv {
  store: Store
  /** Removes a folder that `makeFolder` made, with all its files. Never rejects. */
  removeFolder: (folder: string) => Promise<void>
  /** Returns why a run failed, in the words of its log, redacted and cut. */
  readCause: (logFile: string) => Promise<Cause | undefined>
  /** Undefined if the step has no `result-schema`. */
  validate: Validate | undefined
}

export interface StartEnv extends StepEnv {
  sendStart: SendStart
  /** How long a start that the service did not accept is sent again, in milliseconds. */
  maxStartTime?: number
  /** Aborts when a batch starts no more runs. Ends the pauses before a start. */
  noMoreStarts?: AbortSignal
}

export interface RunEnv extends SharedEnv, WatchEnv, StartEnv {
  /** Creates the folder for the result and the log. Rejects with a message for users. */
  makeFolder: () => Promise<string>
  /** Undefined if any number of downloads may run in parallel. */
  withinDownloadLimit?: CollectContext['withinDownloadLimit']
}

/**
 * Returns the report of the newest execution. If a retry is not started, returns the report of the
 * failed execution. If a retry gets no clear answer, returns the report of the retry. All
 * executions share one deadline.
 */
export async function followRun(spec: RunSpec, env: RunEnv, emit: Emit): Promise<RunReport> {
  let report = await followExecution(spec, [], env, emit)
  while (isRetryDue(report.end, report.executions.length, spec)) {
    const obstacle = await waitBeforeRetry(report, spec, env, emit)
    if (obstacle !== undefined) return { ...report, notRetried: obstacle }
    const retry = await followExecution(spec, report.executions, env, emit)
    if (isNotStarted(retry.end)) return { ...report, notRetried: whyNotStarted(retry.end) }
    await removeFiles(report.end, retry.end, env)
    report = retry
  }
  return report
}

/** Follows the first execution of a run, or the retry after the executions in `earlier`. */
async function followExecution(
  spec: RunSpec,
  earlier: readonly Execution[],
  env: RunEnv,
  emit: Emit,
): Promise<RunReport> {
  const { clock } = env
  const { begun, target } = spec
  const takenOver = earlier.length === 0 && begun.kind === 'take-over' ? begun : undefined
  const since = takenOver?.since ?? { at: clock.now(), on: clock.date() }
  const count = earlier.length + 1

  const reached = takenOver
    ? await watchToEnd(takenOver.executionId, takenOver.seen, spec, env, emit)
    : await startAndWatch(spec, env, emit)
  const finishedOn = clock.date()
  const duration = clock.now() - since.at
  // A retry that was not started changes nothing: the execution before it decides the run.
  if (count === 1 || !isNotStarted(reached)) {
    emit({ kind: 'ended', end: reached, isRetryDue: isRetryDue(reached, count, spec) })
  }
  const end = reached.kind === 'finished' ? await collectRun(reached, spec, env, emit) : reached
  if (end.kind === 'collected') {
    emit({ kind: 'collected', end, isRetryDue: isRetryDue(end, count, spec) })
  }

  const own = executionOf(end, since.on, finishedOn)
  return {
    target,
    end,
    executions: own ? [...earlier, own] : earlier,
    watched: takenOver ? watchedOf(takenOver.seen, reached) : 'all',
    startedOn: since.on,
    finishedOn,
    duration,
  }
}

/** The service accepted the start. `message` is the text of its answer (untrusted). */
export interface Started {
  kind: 'started'
  executionId: string
  message: string
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

/**
 * Sends the start of an execution. Returns its id or why no start was clearly accepted.
 * Repeats the request only if the service cannot have accepted it. Never rejects. `until` ends
 * pauses and prevents further tries.
 */
export async function startRun(
  until: AbortSignal,
  { sendStart, maxStartTime, noMoreStarts, clock, random }: StartEnv,
  emit: Emit,
): Promise<Started | NotAccepted> {
  const outcome = await sendAtMostOnce(sendStart, {
    clock,
    until,
    noMoreTries: noMoreStarts,
    random,
    maxTime: maxStartTime,
    onPause: (failure, pause) => emit({ kind: 'start-retry', failure, pause }),
  })
  if (outcome.kind !== 'accepted') return outcome
  const { executionId, message, status } = outcome.value
  const started = { kind: 'started', executionId, message } as const
  emit(started)
  if (status >= 300) emit({ kind: 'odd-start', status })
  return started
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

type Finished = Extract<WatchEnd, { kind: 'finished' }>

async function collectRun(
  { executionId, seen, outcome, status }: Finished,
  { deadline }: RunSpec,
  env: RunEnv,
  emit: Emit,
): Promise<Collected> {
  // The import is here and not at the top, so that it does not delay the start request.
  const { collect } = await import('../download/collect.ts')
  const { sendCheck, store, clock, random, cancelled, makeFolder, withinDownloadLimit, readCause } =
    env
  const files = await collect(status, {
    check: (signal) => sendCheck(executionId, signal),
    store,
    clock,
    random,
    cancelled,
    deadlineAt: deadline.at,
    makeFolder,
    onDownload: (download) => emit({ kind: 'download', download }),
    withinDownloadLimit,
  })
  const { log } = files
  const isRead = isExplainedByLog(outcome) && log.kind === 'file'
  const cause = isRead ? await readCause(log.path) : undefined
  const validated = outcome === 'success' ? await validateResult(files.result, env) : noValidation
  return { kind: 'collected', executionId, seen, outcome, status, files, cause, ...validated }
}

const noValidation = { validation: { kind: 'none' }, isInterrupted: false } as const

async function validateResult(
  result: DownloadedFile,
  { validate, cancelled }: RunEnv,
): Promise<Pick<Collected, 'validation' | 'isInterrupted'>> {
  // The download may have failed because the step was cancelled. Then the run is no success.
  if (result.kind === 'unavailable') return { ...noValidation, isInterrupted: cancelled.aborted }
  if (!validate) return noValidation
  try {
    return { validation: await validate(result), isInterrupted: false }
  } catch (error) {
    if (!cancelled.aborted) throw error
    return { ...noValidation, isInterrupted: true }
  }
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
  { begun, retrying: { retries, retryOn } }: RunSpec,
): boolean {
  // An execution that had ended before this step is only published.
  if (begun.kind === 'take-over' && proofIn(begun.seen)) return false
  if (end.kind !== 'finished' && end.kind !== 'collected') return false
  // A run with a failure flag but without `finished` may not have ended.
  if (!end.status.finished) return false
  const conclusion = conclusionOf(end)
  return executions <= retries && [...retryOn].some((outcome) => outcome === conclusion)
}

/** The pause before the first retry, in milliseconds. Each further pause is twice as long. */
export const firstPause = 1_000
export const maxPause = 60_000

/** Waits before a retry. Returns the reason if the retry must not be made. */
async function waitBeforeRetry(
  report: RunReport,
  spec: RunSpec,
  env: RunEnv,
  emit: Emit,
): Promise<string | undefined> {
  const { clock, random } = env
  const pause = growingPause(firstPause, report.executions.length, maxPause, random)
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
