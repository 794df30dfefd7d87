/**
 * Starts one execution, follows it to its end, fetches its files and returns a report. Prints
 * nothing and sets no outputs. Reports progress to a listener.
 */
import type { Clock, Deadline } from '../clock.ts'
import type { CollectContext, CollectedFiles } from '../download/collect.ts'
import type { DownloadEvent } from '../download/download.ts'
import type { Store } from '../download/store.ts'
import type { ExecutionService, StartRequest } from '../service/client.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { readCause, type ReadLogEnd } from './cause.ts'
import { factsOf } from './conclusion.ts'
import { conclusionOf, endingOfStart, type Ending, type WatchEnding } from './ending.ts'
import { withAttempt, type ExecutionReport } from './execution-report.ts'
import type { NotValidated, ResultProblems } from './result-problems.ts'
import { poll, type PollListener } from './poll.ts'
import { checksUntilAnswer, type PollState } from './poll-state.ts'
import { startExecution, type StartListener } from './start-execution.ts'

/** An execution that was started earlier. This step only follows the execution. */
export interface KnownExecution {
  executionId: string
  /** The ending, if earlier checks found the ending. If set, no further check is made. */
  ending?: WatchEnding | undefined
  /** The check results of a probe. Further checks add to these results. */
  before?: PollState | undefined
}

export interface ExecutionPlan {
  begin: StartRequest | KnownExecution
  /** The start request of an execution that was started earlier, if this step knows the request. */
  request?: StartRequest | undefined
  /** The pause between the first checks, in milliseconds. Later pauses may be longer. */
  pollInterval: number
  /** The time limit of the check after the deadline, in milliseconds. The default is 2 s. */
  lastCheck?: number | undefined
  /** The time limit of the step, including the start. A cancellation ends the time early. */
  deadline: Deadline
}

/** The services and functions that all executions of a step share. */
export interface SharedCollaborators {
  service: ExecutionService
  store: Store
  clock: Clock
  /** Returns a number from 0 to below 1, like `Math.random`. */
  random: () => number
  cancelled: AbortSignal
  /** Removes a folder that `makeFolder` made, with all its files. Never rejects. */
  removeFolder: (folder: string) => Promise<void>
  readLogEnd: ReadLogEnd
  /** Checks a result. Undefined if the step has no `result-schema`. */
  checkResult?: CheckResult | undefined
}

export interface Collaborators extends SharedCollaborators {
  /** Creates the folder for the result and the log. Rejects with a message for users. */
  makeFolder: () => Promise<string>
  maxStartTime?: number
  /** Returns the minimum pause between two checks, in milliseconds. Set only in a batch. */
  minPause?: () => number
  /** Runs a download within the limit of parallel downloads. Undefined if there is no limit. */
  turn?: CollectContext['turn']
}

/** Returns the problems of a result, or undefined for a valid result. Rejects on a cancellation. */
export type CheckResult = (
  files: CollectedFiles,
) => Promise<ResultProblems | NotValidated | undefined>

export interface ProgressListener extends StartListener, PollListener {
  /** Called when the step begins to wait for the end of the execution, if the end is not known. */
  onWait(): void
  /** Called for each status record before its first use. The listener can mask the links. */
  onStatus(status: ExecutionStatus): void
  /** Called when the wait has ended, before the result and the log are fetched. */
  onEnding(report: ExecutionReport): void
  onDownload(event: DownloadEvent): void
}

export async function followExecution(
  plan: ExecutionPlan,
  collaborators: Collaborators,
  listener: ProgressListener,
): Promise<ExecutionReport> {
  const { clock } = collaborators
  const began = { at: clock.now(), on: clock.date() }
  const { executionId, ending, checks } = await startAndWait(plan, collaborators, listener)
  const report = withAttempt({
    ...subjectOf(plan),
    executionId,
    existedBefore: 'executionId' in plan.begin,
    ending,
    conclusion: conclusionOf(ending),
    startedOn: began.on,
    finishedOn: clock.date(),
    duration: clock.now() - began.at,
    checks,
    files: undefined,
    cause: undefined,
    attempts: [],
  })
  listener.onEnding(report)
  if (executionId === undefined || ending.kind !== 'finished') return report
  const files = await fetchFiles(executionId, ending.status, plan, collaborators, listener)
  const cause = await causeInLog(report, files, collaborators)
  return withAttempt(await withCheckedResult({ ...report, files, cause }, files, collaborators))
}

/** Checks the result if the run succeeded. Returns the report with the problems of the result. */
async function withCheckedResult(
  report: ExecutionReport,
  files: CollectedFiles,
  { checkResult, cancelled }: Collaborators,
): Promise<ExecutionReport> {
  const { ending, conclusion } = report
  if (!checkResult || ending.kind !== 'finished' || conclusion !== 'success') return report
  try {
    // The download may have failed because the step was cancelled.
    if (files.result.kind === 'unavailable') cancelled.throwIfAborted()
    const found = await checkResult(files)
    if (!found) return report
    if ('notValidated' in found) {
      return { ...report, conclusion: 'unknown', notValidated: found.notValidated }
    }
    const outcome = 'invalid-result'
    return { ...report, ending: { ...ending, outcome }, conclusion: outcome, resultProblems: found }
  } catch (error) {
    if (!cancelled.aborted) throw error
    // A run with an unchecked result must not count as a success.
    return { ...report, conclusion: 'cancelled' }
  }
}

/** Returns the parts of the report that come from the start request. */
function subjectOf({
  begin,
  request,
}: ExecutionPlan): Pick<ExecutionReport, 'project' | 'automation' | 'webhookGiven'> {
  const known = 'executionId' in begin ? request : begin
  const webhookGiven = known ? known.webhook !== undefined : undefined
  return { project: known?.project, automation: known?.automation, webhookGiven }
}

interface Waited {
  executionId: string | undefined
  ending: Ending
  checks: number
}

async function startAndWait(
  { begin, ...plan }: ExecutionPlan,
  collaborators: Collaborators,
  listener: ProgressListener,
): Promise<Waited> {
  if ('executionId' in begin) return wait(begin, plan, collaborators, listener)
  const outcome = await startExecution(begin, plan.deadline, collaborators, listener)
  if (outcome.kind === 'accepted') {
    const { executionId } = outcome.value
    return wait({ executionId }, plan, collaborators, listener)
  }
  return { executionId: undefined, ending: endingOfStart(outcome), checks: 0 }
}

async function wait(
  { executionId, ending: seen, before }: KnownExecution,
  { pollInterval, lastCheck, deadline }: Omit<ExecutionPlan, 'begin'>,
  { service, clock, random, cancelled, minPause }: Collaborators,
  listener: ProgressListener,
): Promise<Waited> {
  if (seen) {
    // The earlier checks stopped at the first valid answer. All checks before that answer failed.
    const failedChecks = seen.kind === 'timed-out' ? seen.failedChecks : 0
    return { executionId, ending: seen, checks: Math.max(1, failedChecks) }
  }
  listener.onWait()
  let checks = before ? checksUntilAnswer(before) : 0
  const check = async (signal: AbortSignal) => {
    const status = await service.executionStatus(executionId, signal)
    listener.onStatus(status)
    return status
  }
  const onCheck: PollListener['onCheck'] = (count, state, pause) => {
    checks = count
    listener.onCheck(count, state, pause)
  }
  const ending = await poll({
    check,
    clock,
    deadline,
    cancelled,
    pollInterval,
    lastCheck,
    random,
    before,
    listener: { onCheck },
    minPause,
  })
  return { executionId, ending, checks }
}

async function fetchFiles(
  executionId: string,
  status: ExecutionStatus,
  { deadline }: ExecutionPlan,
  { service, store, clock, random, cancelled, makeFolder, turn }: Collaborators,
  { onStatus, onDownload }: Pick<ProgressListener, 'onStatus' | 'onDownload'>,
): Promise<CollectedFiles> {
  // The import is here and not at the top, so that it does not delay the start request.
  const { collect } = await import('../download/collect.ts')
  const check = async (signal: AbortSignal) => {
    const fresh = await service.executionStatus(executionId, signal)
    onStatus(fresh)
    return fresh
  }
  return collect(status, {
    check,
    store,
    clock,
    random,
    cancelled,
    deadline: deadline.at,
    makeFolder,
    onDownload,
    turn,
  })
}

async function causeInLog(
  { conclusion }: ExecutionReport,
  { log }: CollectedFiles,
  { readLogEnd }: Collaborators,
): Promise<ExecutionReport['cause']> {
  if (!factsOf(conclusion).isInLog) return undefined
  if (log.kind !== 'file') return undefined
  return readCause(log.path, readLogEnd)
}
