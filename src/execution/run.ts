/**
 * Follows one run: starts an execution or takes one over, waits for its end, fetches its files and
 * validates its result. If an execution certainly failed, starts a new one (input `retries`). Prints
 * nothing and sets no outputs.
 */
import { messageOf } from '../errors.ts'
import type { CollectContext, CollectedFiles } from '../download/collect.ts'
import type { Store } from '../download/store.ts'
import { growingPause } from '../service/backoff.ts'
import type { StartAnswer } from '../service/contract.ts'
import { sendAtMostOnce, type NotAccepted, type SendOutcome } from '../service/send-at-most-once.ts'
import type { Begin } from './begin.ts'
import type { Cause } from './cause.ts'
import { isInLog, type RetriableOutcome } from './conclusion.ts'
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
  begin: Begin
  target: Target | undefined
  /** How many further executions may follow. 0 if this step cannot start one. */
  retries: number
  retryOn: ReadonlySet<RetriableOutcome>
}

/** Sends one start. The second signal ends the request as long as no connection is made. */
export type Start = (signal: AbortSignal, whileConnecting: AbortSignal) => Promise<StartAnswer>

/** Returns what became of the validation of a result. Rejects if the step is cancelled. */
export type Validate = (files: CollectedFiles) => Promise<Validation>

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
  start: Start
  /** How long a start that the service did not accept is sent again, in milliseconds. */
  maxStartTime?: number
}

export interface RunEnv extends SharedEnv, WatchEnv, StartEnv {
  /** Creates the folder for the result and the log. Rejects with a message for users. */
  makeFolder: () => Promise<string>
  /** Runs a download within the limit of parallel downloads. Undefined if there is no limit. */
  turn?: CollectContext['turn']
}

/** The pause before the first retry, in milliseconds. Each further pause is twice as long. */
export const firstPause = 1_000
export const maxPause = 60_000

/**
 * Returns the report of the newest execution. If the service refuses a retry, returns the report of
 * the failed execution. If a retry gets no clear answer, returns the report of the retry. All
 * executions share one deadline.
 */
export async function followRun(spec: RunSpec, env: RunEnv, emit: Emit): Promise<RunReport> {
  let report = await followOne(spec, [], env, emit)
  // An execution that had ended before this step is only published.
  const canRetry = spec.begin.kind === 'start' || !proofIn(spec.begin.seen)
  while (canRetry && isRetryDue(report.end, report.executions.length, spec)) {
    const obstacle = await waitBeforeRetry(report, spec, env, emit)
    if (obstacle !== undefined) return { ...report, notRetried: obstacle }
    const again = { ...spec, begin: startAnew }
    const retry = await followOne(again, report.executions, env, emit)
    if (isNotStarted(retry.end)) return { ...report, notRetried: whyNotStarted(retry.end) }
    await removeFiles(report.end, retry.end, env)
    report = retry
  }
  return report
}

const startAnew: Begin = { kind: 'start', because: 'none', seen: nothingSeen }

/**
 * Sends the start of an execution. Repeats the request only if the service cannot have accepted it.
 * Never rejects. The signal of the deadline ends pauses and prevents further tries.
 */
export async function startRun(
  { signal }: { signal: AbortSignal },
  { start, maxStartTime, clock, random }: StartEnv,
  emit: Emit,
): Promise<SendOutcome<StartAnswer>> {
  const outcome = await sendAtMostOnce(start, {
    clock,
    signal,
    random,
    maxTime: maxStartTime,
    onPause: (failure, pause) => emit({ kind: 'not-accepted', failure, pause }),
  })
  if (outcome.kind === 'accepted') {
    const { executionId, message } = outcome.value
    emit({ kind: 'started', executionId, message })
  }
  return outcome
}

/** Follows one execution to its end. `earlier` has the executions before it. */
async function followOne(
  spec: RunSpec,
  earlier: readonly Execution[],
  env: RunEnv,
  emit: Emit,
): Promise<RunReport> {
  const { clock } = env
  const { begin } = spec
  const now = { at: clock.now(), on: clock.date() }
  const began = begin.kind === 'take-over' ? begin.since : now
  const end = await reachEnd(spec, env, emit)
  const finishedOn = clock.date()
  const duration = clock.now() - began.at
  const count = earlier.length + 1
  const decides = earlier.length === 0 || !isNotStarted(end)
  emit({ kind: 'ended', end, isFinal: decides && !isRetryDue(end, count, spec) })
  const known = end.kind === 'finished' ? await collectRun(end, spec, env, emit) : end
  const own = executionOf(known, began.on, finishedOn)
  return {
    target: spec.target,
    end: known,
    executions: own ? [...earlier, own] : earlier,
    watched: watchedIn(spec.begin, end),
    startedOn: began.on,
    finishedOn,
    duration,
  }
}

function watchedIn(begin: Begin, end: NotAccepted | WatchEnd): RunReport['watched'] {
  if (begin.kind === 'start') return 'all'
  // The check of an earlier attempt's execution may prove its end. Then no further check is made.
  const isProven = proofIn(begin.seen) !== undefined
  return isProven || ('seen' in end && end.seen.checks <= 1) ? 'one-check' : 'a-part'
}

async function reachEnd(
  { begin, ...spec }: RunSpec,
  env: RunEnv,
  emit: Emit,
): Promise<NotAccepted | WatchEnd> {
  if (begin.kind === 'take-over')
    return await watchToEnd(begin.executionId, begin.seen, spec, env, emit)
  const outcome = await startRun(spec.deadline, env, emit)
  if (outcome.kind !== 'accepted') return outcome
  return await watchToEnd(outcome.value.executionId, nothingSeen, spec, env, emit)
}

async function watchToEnd(
  executionId: string,
  before: Seen,
  { pollInterval, deadline, lastCheck }: Omit<RunSpec, 'begin'>,
  env: RunEnv,
  emit: Emit,
): Promise<WatchEnd> {
  const plan: WatchPlan = { until: 'end', pollInterval, deadline, lastCheck }
  const seen = await watch(executionId, before, plan, env, emit)
  return endOfWatch(executionId, seen, env.cancelled)
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
  const { check, store, clock, random, cancelled, makeFolder, turn, readCause } = env
  const files = await collect(status, {
    check: (signal) => check(executionId, signal),
    store,
    clock,
    random,
    cancelled,
    deadline: deadline.at,
    makeFolder,
    onDownload: (download) => emit({ kind: 'download', download }),
    turn,
  })
  const { log } = files
  const isRead = isInLog(outcome) && log.kind === 'file'
  const cause = isRead ? await readCause(log.path) : undefined
  const validated = outcome === 'success' ? await validateResult(files, env) : notValidated
  return { kind: 'collected', executionId, seen, outcome, status, files, cause, ...validated }
}

const notValidated = { validation: { kind: 'none' }, isCut: false } as const

async function validateResult(
  files: CollectedFiles,
  { validate, cancelled }: RunEnv,
): Promise<Pick<Collected, 'validation' | 'isCut'>> {
  if (!validate) return notValidated
  try {
    // The download may have failed because the step was cancelled.
    if (files.result.kind === 'unavailable') cancelled.throwIfAborted()
    return { validation: await validate(files), isCut: false }
  } catch (error) {
    if (!cancelled.aborted) throw error
    // A run whose result was not validated must not count as a success.
    return { ...notValidated, isCut: true }
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
  { retries, retryOn }: RunSpec,
): boolean {
  // A run with a failure flag but without `finished` may not have ended.
  if (!('status' in end) || !end.status.finished) return false
  const conclusion = conclusionOf(end)
  return executions <= retries && [...retryOn].some((outcome) => outcome === conclusion)
}

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
  emit({ kind: 'retrying', report, max: spec.retries + 1, pause })
  await clock.sleep(pause, spec.deadline.signal).catch(() => undefined)
  return findObstacle(0, spec, env)
}

/** Returns the reason that forbids a retry after `pause` milliseconds, or undefined. */
function findObstacle(
  pause: number,
  { deadline }: RunSpec,
  { cancelled }: RunEnv,
): string | undefined {
  if (cancelled.aborted) return stepCancelled
  return pause >= deadline.remaining() ? 'no time was left (the input timeout)' : undefined
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
