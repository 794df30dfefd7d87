/** Follows an execution to its end and reports the outcome. The root action and `wait` use this. */
import { Deadline } from '../clock.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { followWithRetries, type RetryListener, type RetryPlan } from '../execution/retries.ts'
import { noAnswerWithin } from '../messages/quantities.ts'
import type { LinkOf } from '../messages/run-link.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { onlyRun } from '../runner/record/format.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { ResultSchema } from '../runner/result-schema/compiled-schema.ts'
import type { Step, Verdict } from '../runner/step.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { makeStepFolder } from '../runner/step-folder.ts'
import { collaboratorsIn, logUnknownFormats } from './collaborators.ts'
import type { Connections } from './connect.ts'
import { reportProgress } from './progress.ts'

/** How long the only check may take if `timeout` is `0s`, in milliseconds. */
export const maxOnlyCheck = 10_000

interface Additions {
  storage: Storage
  /** The time limit of the whole step (see {@link openDeadline}). */
  deadline: Deadline
  linkOf: LinkOf
  /** Saves the record for a re-run. Undefined if the step starts no run. */
  recorder?: Recorder
  /** Called with the final report, while the files are published. */
  onReport?: (report: ExecutionReport) => Promise<void>
}

interface Subject extends Pick<RetryPlan, 'begin' | 'request' | 'retries' | 'retryOn'> {
  /** The JSON Schema of the result, if any. The schema's worker thread stops when the step ends. */
  resultSchema?: ResultSchema | undefined
}

export function openDeadline(
  { timeout }: Pick<RunInputs['waiting'], 'timeout'>,
  { clock, cancelled }: Pick<Step, 'clock' | 'cancelled'>,
): Deadline {
  return new Deadline(clock, timeout, cancelled, noAnswerWithin(timeout))
}

export async function followAndReport(
  subject: Subject,
  { waiting, publishing, jobId }: Pick<RunInputs, 'waiting' | 'publishing' | 'jobId'>,
  connections: Connections,
  { storage, deadline, recorder, linkOf, onReport }: Additions,
  step: Step,
): Promise<Verdict> {
  const { pollInterval, timeout } = waiting
  const { resultSchema, ...plan } = subject
  const { retries, retryOn } = plan
  using schema = resultSchema
  logUnknownFormats(schema, step)
  const progress = reportProgress({ pollInterval, timeout, retries }, linkOf, step)
  const listener = {
    ...progress,
    onWait: () => {
      progress.onWait()
      // Loads the large clients for artifact and cache during the wait, to save time at the end.
      if (publishing.uploadArtifact) storage.prepare()
    },
    onStatus: (status: ExecutionStatus) => {
      progress.onStatus(status)
      // Loads the code for the end before the next check, and not before the first one. An error of
      // loading is ignored here, because it occurs again at the use.
      if (!status.finished) {
        void Promise.allSettled([import('../download/collect.ts'), import('./report-execution.ts')])
      }
    },
  }
  const report = await followWithRetries(
    { ...plan, pollInterval, lastCheck: timeout === 0 ? maxOnlyCheck : undefined, deadline },
    {
      ...collaboratorsIn(step, connections, schema, publishing),
      makeFolder: () => makeStepFolder(step.environment),
    },
    recorder ? recordingRun(listener, recorder) : listener,
  )
  const { reportExecution, reportLateCancellation } = await import('./report-execution.ts')
  const { executionId } = report
  const saveForRerun = async () => {
    await recorder?.close()
    return executionId !== undefined && recorder?.isOnRecord === true
  }
  const options = { waiting, retries, retryOn, publishing, storage, linkOf, jobId, saveForRerun }
  const [{ verdict, isReported }] = await Promise.all([
    reportExecution(report, options, step),
    onReport?.(report),
    // A cancelled step has little time, so it saves the record while it reports the execution.
    step.cancelled.aborted ? recorder?.close() : undefined,
  ])
  const { cancelled } = step
  if (isReported && !cancelled.aborted) await recorder?.reported(cancelled)
  if (!cancelled.aborted || verdict.kind === 'failed') return verdict
  // The signal came while the last texts were written, or during the last save. The job is red
  // then, so its re-run must publish this run and not pay for another one.
  return await reportLateCancellation(report, options, step)
}

/** Returns a listener that calls `listener`, and also records the start and end of the run. */
function recordingRun(listener: RetryListener, recorder: Recorder): RetryListener {
  return {
    ...listener,
    onStarted: (answer) => {
      listener.onStarted(answer)
      recorder.started(onlyRun, answer.executionId)
    },
    onEnding: (report) => {
      listener.onEnding(report)
      // A success is recorded before the check of the result, because the check may be cancelled.
      if (report.conclusion === 'success') recordEnd(report, recorder)
    },
    onSettled: (report) => {
      listener.onSettled(report)
      recordEnd(report, recorder)
    },
  }
}

function recordEnd({ ending, conclusion, executionId }: ExecutionReport, recorder: Recorder): void {
  if (ending.kind === 'not-started') return
  recorder.ended(onlyRun, {
    conclusion,
    executionId: ending.kind === 'unknown-start' ? undefined : executionId,
  })
}
