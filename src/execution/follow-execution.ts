/**
 * Follows one execution from its start to its files, and returns one value that describes it.
 * Prints nothing and sets no output. A listener is informed on the way.
 */
import type { Clock, Deadline } from '../clock.ts'
import type { CollectContext, CollectedFiles } from '../download/collect.ts'
import type { Store } from '../download/store.ts'
import type { ExecutionService, StartRequest } from '../service/client.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { NotSentError } from '../service/errors.ts'
import type { RetryLimits } from '../service/send-at-most-once.ts'
import type { ReadLogEnd } from './cause.ts'
import { factsOf } from './conclusion.ts'
import { conclusionOf, type Ending, type WatchEnding } from './ending.ts'
import { withAttempt, type ExecutionReport } from './execution-report.ts'
import type { ResultProblems } from './result-problems.ts'
import type { PollListener } from './poll.ts'
import { startExecution, type StartListener } from './start-execution.ts'

/** An execution that was started before. */
export interface KnownExecution {
  executionId: string
  /**
   * The ending that a look has just seen. A later failure of the service does not change it. If no
   * time was left for more than this look, the ending for that case.
   */
  ending?: WatchEnding | undefined
  /**
   * True if an earlier attempt of the job saw the execution succeed. If its result does not match
   * today's schema, another execution is started.
   */
  isKept?: boolean
  /** Whether the service kept its result, as an earlier attempt of the job has seen. */
  hadResult?: boolean | undefined
}

export interface ExecutionPlan {
  begin: StartRequest | KnownExecution
  /** For a known execution: the request that started it, if this step knows it. */
  request?: StartRequest | undefined
  /** Milliseconds between two checks at the beginning. */
  pollInterval: number
  /** True for `timeout: 0s`: look once, whatever the answer is. */
  once: boolean
  /** The step's time. It begins before the start. A cancellation ends it early. */
  deadline: Deadline
}

/** What all executions of a step share. */
export interface SharedCollaborators {
  service: ExecutionService
  store: Store
  clock: Clock
  /** A number between 0 and 1, as from `Math.random`. */
  random: () => number
  cancelled: AbortSignal
  /** Removes a folder that `makeFolder` made, and all files in it. Never rejects. */
  removeFolder: (folder: string) => Promise<void>
  readLogEnd: ReadLogEnd
  /** Set if there is a schema. */
  checkResult?: CheckResult | undefined
}

export interface Collaborators extends SharedCollaborators {
  /** Makes the folder for result and log. Rejects with a reason that people can read. */
  makeFolder: () => Promise<string>
  /** How often, and for how long, a start that was not accepted is sent again. */
  startLimits?: RetryLimits
  /** The current minimum pause between two checks if runs share a budget of checks. Milliseconds. */
  minPause?: () => number
  /** Set if the number of parallel downloads is limited (see `CollectContext`). */
  turn?: CollectContext['turn']
}

/** Checks the result of a run that ended well. Rejects if the step is cancelled before. */
export type CheckResult = (files: CollectedFiles) => Promise<ResultProblems | undefined>

/** Is informed of what happens to an execution. */
export interface ProgressListener extends StartListener, PollListener {
  /** The step begins to wait for the execution. */
  onWait(): void
  /** Called for every status record before it is used, because its links are secrets. */
  onStatus(status: ExecutionStatus): void
  /** The execution has ended. Result and log are not fetched yet. */
  onEnding(report: ExecutionReport): void
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
  const fetched = await fetchFiles(executionId, ending.status, plan, collaborators, listener)
  const files = report.conclusion === 'success' ? withLostResult(fetched, plan.begin) : fetched
  const cause = await causeInLog(report, files, collaborators)
  return withAttempt(await withCheckedResult({ ...report, files, cause }, files, collaborators))
}

/** A result without a link is lost, not "not kept", if an earlier attempt saw that it was kept. */
function withLostResult(files: CollectedFiles, begin: ExecutionPlan['begin']): CollectedFiles {
  const wasKept = 'executionId' in begin && begin.hadResult === true
  if (!wasKept || files.result.kind !== 'not-kept') return files
  const why = 'the service no longer has it'
  return { ...files, result: { kind: 'unavailable', why, obstacle: 'gone' } }
}

/** Checks the result of a run that ended well. */
async function withCheckedResult(
  report: ExecutionReport,
  files: CollectedFiles,
  { checkResult, cancelled }: Collaborators,
): Promise<ExecutionReport> {
  const { ending, conclusion } = report
  if (!checkResult || ending.kind !== 'finished' || conclusion !== 'success') return report
  try {
    // A cancellation also ends the download of the result.
    if (files.result.kind === 'unavailable') cancelled.throwIfAborted()
    const resultProblems = await checkResult(files)
    if (!resultProblems) return report
    const outcome = 'invalid-result'
    return { ...report, ending: { ...ending, outcome }, conclusion: outcome, resultProblems }
  } catch (error) {
    if (!cancelled.aborted) throw error
    // A result that was not checked must not count as a success.
    return { ...report, conclusion: 'cancelled' }
  }
}

/** Returns what this step knows of the start. */
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
  const kind = outcome.kind === 'refused' ? 'not-started' : 'unknown-start'
  const ending = { kind, status: undefined, failure: outcome.failure } as const
  return { executionId: undefined, ending, checks: 0 }
}

async function wait(
  { executionId, ending: seen }: KnownExecution,
  { pollInterval, once, deadline }: Omit<ExecutionPlan, 'begin'>,
  { service, clock, random, cancelled, minPause }: Collaborators,
  listener: ProgressListener,
): Promise<Waited> {
  listener.onWait()
  if (seen) {
    // Until the first proper answer each check fails.
    const failedChecks = seen.kind === 'timed-out' ? seen.failedChecks : 0
    return { executionId, ending: seen, checks: Math.max(1, failedChecks) }
  }
  // Loaded only now, as all that follows the start: the first request went out that much earlier.
  const { poll } = await import('./poll.ts')
  let checks = 0
  const check = async (signal: AbortSignal) => {
    checks += 1
    try {
      const status = await service.executionStatus(executionId, signal)
      listener.onStatus(status)
      return status
    } catch (error) {
      if (error instanceof NotSentError) checks -= 1
      throw error
    }
  }
  const ending = await poll({
    check,
    clock,
    deadline,
    cancelled,
    pollInterval,
    once,
    random,
    listener,
    ...(minPause && { minPause }),
  })
  return { executionId, ending, checks }
}

async function fetchFiles(
  executionId: string,
  status: ExecutionStatus,
  { deadline }: ExecutionPlan,
  { service, store, clock, cancelled, makeFolder, turn }: Collaborators,
  { onStatus }: Pick<ProgressListener, 'onStatus'>,
): Promise<CollectedFiles> {
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
    cancelled,
    deadline: deadline.at,
    makeFolder,
    ...(turn && { turn }),
  })
}

async function causeInLog(
  { conclusion }: ExecutionReport,
  { log }: CollectedFiles,
  { readLogEnd }: Collaborators,
): Promise<ExecutionReport['cause']> {
  if (!factsOf(conclusion).isInLog) return undefined
  if (log.kind !== 'file') return undefined
  const { readCause } = await import('./cause.ts')
  return readCause(log.path, readLogEnd)
}
