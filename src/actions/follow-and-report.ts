/** Follows an execution to its end and reports it, for root and `wait`. */
import { Deadline } from '../clock.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { followWithRetries, type RetryListener, type RetryPlan } from '../execution/retries.ts'
import type { MissingCopy } from '../messages/loss.ts'
import { noAnswerWithin } from '../messages/quantities.ts'
import type { LinkOf } from '../messages/run-link.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { onlyRun } from '../runner/record/format.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { ResultSchema } from '../runner/result-schema/compiled-schema.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { makeStepFolder } from '../runner/workspace.ts'
import { collaboratorsIn, warnIfInvalidPasses } from './collaborators.ts'
import type { Connections } from './connect.ts'
import { reportProgress } from './progress.ts'

// Milliseconds that the one look of `timeout: 0s` may take.
export const oneLook = 30_000

/** What root or `wait` needs besides the part that both share. */
interface Additions {
  storage: Storage
  /** The time of the whole step: see {@link openDeadline}. */
  deadline: Deadline
  linkOf: LinkOf
  /** Undefined if the step starts nothing, so that it has nothing to record. */
  recorder?: Recorder
  /** Called with each execution that is started. */
  onStarted?: ((executionId: string) => void) | undefined
  /** Called with the whole report while it is being published, which may take long. */
  onReport?: (report: ExecutionReport, missingCopies: readonly MissingCopy[]) => Promise<void>
}

interface Subject extends Pick<RetryPlan, 'begin' | 'request' | 'retries' | 'retryOn'> {
  /** The schema for the result, if there is one. Its worker ends with the step. */
  resultSchema?: ResultSchema | undefined
}

export function openDeadline(
  { timeout }: Pick<RunInputs['waiting'], 'timeout'>,
  { clock, cancelled }: Pick<Step, 'clock' | 'cancelled'>,
): Deadline {
  const span = timeout === 0 ? oneLook : timeout
  return new Deadline(clock, span, cancelled, noAnswerWithin(span))
}

export async function followAndReport(
  subject: Subject,
  { waiting, publishing }: Pick<RunInputs, 'waiting' | 'publishing'>,
  connections: Connections,
  { storage, deadline, recorder, linkOf, onStarted, onReport }: Additions,
  step: Step,
): Promise<Verdict> {
  const { pollInterval, timeout } = waiting
  const { resultSchema, ...plan } = subject
  using schema = resultSchema
  warnIfInvalidPasses(schema, waiting, step)
  const isOver = 'ending' in subject.begin && subject.begin.ending !== undefined
  const pace = { pollInterval, timeout, retries: subject.retries, isOver }
  const progress = reportProgress(pace, linkOf, step)
  const onWait = () => {
    progress.onWait()
    // The storage clients are most of the action's weight: loaded while waiting.
    if (publishing.uploadArtifact) storage.prepare()
  }
  const listener = listenerWith({ ...progress, onWait }, deadline, onStarted)
  const report = await followWithRetries(
    { ...plan, pollInterval, once: timeout === 0, deadline },
    {
      ...collaboratorsIn(step, connections, schema, publishing),
      makeFolder: () => makeStepFolder(step.environment),
    },
    recorder ? recordingRun(listener, recorder) : listener,
  )
  const { reportFiles } = await import('./report-files.ts')
  const { reportExecution } = await import('./report-execution.ts')
  const { executionId } = report
  const saveForRerun = async () => {
    await recorder?.close()
    return executionId !== undefined && recorder?.isOnRecord === true
  }
  const { retries } = subject
  const options = { waiting, retries, publishing, storage, linkOf, saveForRerun }
  const missingCopies = await reportFiles(report, publishing, step)
  const [{ verdict, isReported }] = await Promise.all([
    reportExecution(report, missingCopies, options, step),
    onReport?.(report, missingCopies),
    // A cancelled step has no time to save its record after the commit status.
    step.cancelled.aborted ? recorder?.close() : undefined,
  ])
  // A result that was not checked is checked again by a re-run.
  if (isReported && report.resultProblems?.isUnchecked !== true) recorder?.reported()
  return verdict
}

/**
 * Files are fetched and checked before a retry, and the step's time stops meanwhile. Modules that
 * are used at the end are loaded while the step waits.
 */
function listenerWith(
  progress: RetryListener,
  deadline: Deadline,
  onStarted: Additions['onStarted'],
): RetryListener {
  return {
    ...progress,
    onStarted: (answer) => {
      progress.onStarted(answer)
      onStarted?.(answer.executionId)
    },
    onStatus: (status) => {
      progress.onStatus(status)
      if (status.finished) return
      // If a module cannot be loaded, its first use fails.
      void Promise.allSettled([import('../download/collect.ts'), import('./report-execution.ts')])
    },
    onEnding: (report) => {
      deadline.hold()
      progress.onEnding(report)
    },
    onRetry: (report, pause, next) => {
      deadline.resume()
      progress.onRetry(report, pause, next)
    },
    onInvalidKept: (report) => {
      deadline.resume()
      progress.onInvalidKept(report)
    },
  }
}

/** The listener, and the recorder that hears the same. */
function recordingRun(listener: RetryListener, recorder: Recorder): RetryListener {
  return {
    ...listener,
    onStarted: (answer) => {
      listener.onStarted(answer)
      recorder.started(onlyRun, answer.executionId)
    },
    onEnding: (report) => {
      listener.onEnding(report)
      // The run has succeeded even if the check of its result is cut short.
      if (report.conclusion === 'success') recordEnd(report, recorder)
    },
    onSettled: (report) => {
      listener.onSettled(report)
      recordEnd(report, recorder)
    },
  }
}

function recordEnd(
  { ending, conclusion, executionId, resultProblems }: ExecutionReport,
  recorder: Recorder,
): void {
  if (ending.kind === 'not-started') return
  recorder.ended(onlyRun, {
    // A re-run checks such a result again, and starts nothing.
    conclusion: resultProblems?.isUnchecked === true ? 'success' : conclusion,
    executionId: ending.kind === 'unknown-start' ? undefined : executionId,
    hadResult: ending.kind === 'finished' && ending.status.result_url !== null,
  })
}
