/**
 * Follows one execution from its start to what it left, and returns what became of it as one value.
 * Prints nothing, sets no output and knows no step: a listener hears of what happens on the way.
 */
import type { Deadline } from '../clock.ts'
import type { CollectContext, CollectedFiles } from '../download/collect.ts'
import type { Store } from '../download/store.ts'
import type { ExecutionService, StartRequest } from '../service/client.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { NotSentError } from '../service/errors.ts'
import type { ReadLogEnd } from './cause.ts'
import { factsOf } from './conclusion.ts'
import { conclusionOf, type Ending, type WatchEnding } from './ending.ts'
import { withAttempt, type ExecutionReport } from './execution-report.ts'
import type { ResultProblems } from './result-problems.ts'
import type { PollListener, PollPlan } from './poll.ts'
import { startExecution, type StartCollaborators, type StartListener } from './start-execution.ts'

/** What was started before. */
export interface KnownExecution {
  executionId: string
  /**
   * Its end, where it has just been seen: a service that fails now can't take that back. Or what the
   * last look came to that there was time for.
   */
  ending?: WatchEnding | undefined
  /**
   * It ended well, as an earlier attempt of the job has seen: where its result does not match the
   * schema of today, another one is started in its place.
   */
  isKept?: boolean
  /** Whether the service kept its result, as an earlier attempt of the job has seen. */
  leftResult?: boolean | undefined
}

export interface ExecutionPlan {
  begin: StartRequest | KnownExecution
  /** Beside an id: what that execution was started with, where this step knows. */
  request?: StartRequest | undefined
  /** Milliseconds between two checks at first. */
  pollInterval: number
  /** Looks once, however little that shows (`timeout: 0s`). */
  once: boolean
  /** The step's time, from before the start; a cancellation ends it early. */
  deadline: Deadline
}

export interface Collaborators
  extends StartCollaborators, Pick<PollPlan, 'minPause'>, Pick<CollectContext, 'turn'> {
  service: ExecutionService
  store: Store
  cancelled: AbortSignal
  /** Makes the folder for result and log; rejects with a reason for people. */
  makeFolder: () => Promise<string>
  readLogEnd: ReadLogEnd
  /** Where there is a schema. */
  checkResult?: CheckResult | undefined
}

/** Checks what a run that ended well left. Rejects where the step was cancelled before that was done. */
export type CheckResult = (files: CollectedFiles) => Promise<ResultProblems | undefined>

/** What happens on the way. */
export interface ProgressListener extends StartListener, PollListener {
  /** The wait begins: of what was just started, or of a known execution. */
  onWait(): void
  /** Every status record, before anything is done with it: its links are secrets. */
  onStatus(status: ExecutionStatus): void
  /** The end, before result and log are fetched. */
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
  const cause = await causeOf(report, files, collaborators)
  return withAttempt(await withCheckedResult({ ...report, files, cause }, files, collaborators))
}

/** A result that was kept, and that the service has no link to any more, is not one that never was. */
function withLostResult(files: CollectedFiles, begin: ExecutionPlan['begin']): CollectedFiles {
  const wasKept = 'executionId' in begin && begin.leftResult === true
  if (!wasKept || files.result.kind !== 'not-kept') return files
  const why = 'the service no longer has it'
  return { ...files, result: { kind: 'unavailable', why, obstacle: 'gone' } }
}

/** A run that ended well may have a result that is none. */
async function withCheckedResult(
  report: ExecutionReport,
  files: CollectedFiles,
  { checkResult, cancelled }: Collaborators,
): Promise<ExecutionReport> {
  const { ending, conclusion } = report
  if (!checkResult || ending.kind !== 'finished' || conclusion !== 'success') return report
  try {
    const resultProblems = await checkResult(files)
    if (!resultProblems) return report
    const outcome = 'invalid-result'
    return { ...report, ending: { ...ending, outcome }, conclusion: outcome, resultProblems }
  } catch (error) {
    if (!cancelled.aborted) throw error
    // Nobody knows whether it is valid: it must not be taken for a success.
    return { ...report, conclusion: 'cancelled' }
  }
}

/** As far as this step knows what was started. */
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

async function causeOf(
  { conclusion }: ExecutionReport,
  { log }: CollectedFiles,
  { readLogEnd }: Collaborators,
): Promise<ExecutionReport['cause']> {
  if (!factsOf(conclusion).isInLog) return undefined
  if (log.kind !== 'file') return undefined
  const { readCause } = await import('./cause.ts')
  return readCause(log.path, readLogEnd)
}
