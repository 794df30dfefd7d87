/** What run and wait share: an execution is followed to its end, and reported. */
import { Deadline } from '../clock.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { followWithRetries, type RetryListener, type RetryPlan } from '../execution/retries.ts'
import type { MissingCopy } from '../messages/loss.ts'
import { noAnswerWithin } from '../messages/quantities.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { onlyRun } from '../runner/record/format.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { makeStepFolder } from '../runner/workspace.ts'
import { collaboratorsIn } from './collaborators.ts'
import type { Connections } from './connect.ts'
import type { ReportLink } from './link.ts'
import { reportProgress } from './progress.ts'

// Milliseconds that the one look of `timeout: 0s` may take.
const oneLook = 30_000

/** What an action brings, and does, beside what run and wait share. */
interface Additions {
  storage: Storage
  /** The time of the whole step: see {@link openDeadline}. */
  deadline: Deadline
  reportLink: ReportLink
  /** Absent where the step starts nothing, so that it has nothing to keep. */
  recorder?: Recorder
  /** With each execution that is started. */
  onStarted?: ((executionId: string) => void) | undefined
  /** With the whole report, while it is published, which may take long. */
  onReport?: (report: ExecutionReport, missingCopies: readonly MissingCopy[]) => Promise<void>
}

interface Subject extends Pick<RetryPlan, 'begin' | 'request' | 'retries' | 'retryOn'> {
  /** The text of the schema that a result must match, where there is one. */
  resultSchema?: string | undefined
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
  { storage, deadline, recorder, reportLink, onStarted, onReport }: Additions,
  step: Step,
): Promise<Verdict> {
  const { pollInterval, timeout } = waiting
  const { resultSchema, ...plan } = subject
  using checker = await connections.openChecker(resultSchema, waiting, step)
  const isOver = 'ending' in subject.begin && subject.begin.ending !== undefined
  const pace = { pollInterval, timeout, retries: subject.retries, isOver }
  const progress = reportProgress(pace, step)
  const onWait = () => {
    progress.onWait()
    // The storage clients are most of the action's weight: loaded while waiting.
    if (publishing.uploadArtifact) storage.prepare()
  }
  const listener = listenerWith({ ...progress, onWait }, deadline, { reportLink, onStarted })
  const report = await followWithRetries(
    { ...plan, pollInterval, once: timeout === 0, deadline },
    {
      ...collaboratorsIn(step, connections, checker, publishing),
      makeFolder: () => makeStepFolder(step.environment),
    },
    recorder ? recording(listener, recorder) : listener,
  )
  const { reportFiles } = await import('./report-files.ts')
  const { reportExecution } = await import('./report-execution.ts')
  const { executionId } = report
  const saveForRerun = async () => {
    await recorder?.close()
    return executionId !== undefined && recorder?.isOnRecord === true
  }
  const options = { waiting, retries: subject.retries, publishing, storage, saveForRerun }
  const missingCopies = await reportFiles(report, publishing, step)
  const [{ verdict, isHandedOn }] = await Promise.all([
    reportExecution(report, missingCopies, options, step),
    onReport?.(report, missingCopies),
    // A cancelled step has no time to save its record after the commit status.
    step.cancelled.aborted ? recorder?.close() : undefined,
  ])
  // A re-run checks again what was not checked here.
  if (isHandedOn && report.resultProblems?.isUnchecked !== true) recorder?.reported()
  return verdict
}

/**
 * What an execution left is fetched and checked outside of the time, before another one is started.
 * What is used at the end is loaded while waiting, so that the end need not wait for it.
 */
function listenerWith(
  progress: RetryListener,
  deadline: Deadline,
  { reportLink, onStarted }: Pick<Additions, 'reportLink' | 'onStarted'>,
): RetryListener {
  return {
    ...progress,
    onStarted: (answer) => {
      progress.onStarted(answer)
      reportLink(answer.executionId)
      onStarted?.(answer.executionId)
    },
    onSettled: (report) => {
      progress.onSettled(report)
      if (report.executionId === undefined) reportLink(undefined)
    },
    onStatus: (status) => {
      progress.onStatus(status)
      if (status.finished) return
      // One that cannot be loaded fails where it is used.
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
    onOutdated: (report) => {
      deadline.resume()
      progress.onOutdated(report)
      reportLink(undefined)
    },
  }
}

/** The listener, and the recorder that hears the same. */
function recording(listener: RetryListener, recorder: Recorder): RetryListener {
  return {
    ...listener,
    onStarted: (answer) => {
      listener.onStarted(answer)
      recorder.started(onlyRun, answer.executionId)
    },
    onEnding: (report) => {
      listener.onEnding(report)
      // The check of a result may be cut short, and the run has succeeded all the same.
      if (report.conclusion === 'success') recordEnd(report, recorder)
    },
    onSettled: (report) => {
      listener.onSettled(report)
      recordEnd(report, recorder)
      const { kind } = report.ending
      // Nothing follows that could be saved instead.
      if (kind !== 'finished' && kind !== 'not-started') recorder.save()
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
    leftResult: ending.kind === 'finished' && ending.status.result_url !== null,
  })
}
