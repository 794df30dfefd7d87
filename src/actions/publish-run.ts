/** Publishes the end of a run in outputs, files, record, log, job summary and annotation. */
import { cut } from '../cut.ts'
import { failsStep } from '../execution/conclusion.ts'
import {
  conclusionOf,
  cutReport,
  executionIdOf,
  statusOf,
  type End,
  type RunReport,
} from '../execution/report.ts'
import type { RunSpec } from '../execution/run.ts'
import type { Annotation } from '../messages/annotation.ts'
import { statusOutput } from '../messages/execution-record.ts'
import { describeFailure } from '../messages/failure-annotation.ts'
import { describeSuccess } from '../messages/progress.ts'
import { describeElapsed } from '../messages/quantities.ts'
import { describeEnd, type Failure } from '../messages/failure.ts'
import { describeLoss, type Loss } from '../messages/loss.ts'
import type { LinkOf } from '../messages/run-link.ts'
import { isResultShown } from '../messages/summary/result.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { publish, type Published } from './publish.ts'
import { reportFiles } from './report-files.ts'
import { summarise } from './summarise.ts'

export interface RunContext extends Pick<RunSpec, 'retries' | 'retryOn'> {
  inputs: Pick<RunInputs, 'waiting' | 'publishing' | 'jobId'>
  storage: Pick<Storage, 'upload'>
  linkOf: LinkOf
  /** Saves the record for a re-run. Not given if the step starts no run. */
  recorder?: Recorder
  /** Work that is done while the run is published. */
  meanwhile?: Promise<void>
}

/** Publishes a run, saves its record, and returns the verdict of the step. */
export async function publishRun(
  followed: RunReport,
  context: RunContext,
  step: Step,
): Promise<Verdict> {
  const { recorder, meanwhile } = context
  const { cancelled } = step
  const [{ verdict, isReported }] = await Promise.all([
    reportRun(followed, context, step),
    meanwhile,
    // A cancelled step has little time, so it saves the record while it reports the run.
    cancelled.aborted ? recorder?.close() : undefined,
  ])
  if (isReported && !cancelled.aborted) await recorder?.reported(cancelled)
  if (!cancelled.aborted || verdict.kind === 'failed') return verdict
  // The signal came while the last texts were written, or during the last save. The job is red
  // then, so its re-run must publish this run and not pay for another one.
  return verdictOf(await explain(afterPublishing(followed, step), {}, context, step))
}

interface Reported {
  verdict: Verdict
  /** True if the run has finished and a re-run has nothing left to publish. */
  isReported: boolean
}

/**
 * Publishes the files, saves the record, and then reports the verdict. The files come first,
 * because a missing file may fail the step. The record comes before the annotation, because the
 * annotation says whether a re-run finds the execution.
 */
async function reportRun(followed: RunReport, context: RunContext, step: Step): Promise<Reported> {
  const { inputs, linkOf } = context
  const { publishing } = inputs
  setOutputs(followed, step)
  reportFiles(followed.end, step)
  const { end: followedEnd } = followed
  const published =
    followedEnd.kind === 'collected'
      ? await publish(followed, followedEnd, context, step)
      : undefined
  const report = afterPublishing(followed, step)
  const loss = lossOf(report.end, step)
  const explained = await explain(report, { loss, artifact: published?.artifact }, context, step)
  const { end, failure, annotation } = explained
  if (published) printTexts(report.end, published, publishing, failure !== undefined, step)
  const allowed = failure ? '' : ', allowed by fail-on'
  const title = annotation ? `${annotation.title}${allowed}` : describeSuccess(report)
  step.log.verdict(headlineOf(title, report, failure), !failure)
  const remainder = failure ? undefined : end && linesOfOpenEnd(end)
  for (const line of remainder ?? []) step.log.info(line)
  await summarise(report, published, { title, failure, remainder, linkOf, publishing }, step)
  // If the result or an output is missing, a later attempt publishes the files again.
  const isLost = loss !== undefined || step.outputs.problem !== undefined
  const isOver = report.end.kind === 'collected' && !isOpen(report.end)
  return { verdict: verdictOf(explained), isReported: isOver && !isLost }
}

/** Sets the outputs that do not depend on files. */
function setOutputs({ end, duration, executions }: RunReport, { outputs, secrets }: Step): void {
  outputs.set('conclusion', conclusionOf(end))
  if ('executionId' in end) {
    outputs.set('status', statusOutput(statusOf(end), secrets.show))
    outputs.set('duration-seconds', String(Math.round(duration / 1000)))
  } else if (executions.length > 0) {
    // A new execution may exist, so the outputs must not name the execution before the retry.
    outputs.set('execution-id', '')
    outputs.set('execution-url', '')
  }
}

interface Explained {
  /** How the run ended. Undefined for a success. */
  end: Failure | undefined
  /** Why the step fails. Undefined if the step passes. */
  failure: Failure | undefined
  annotation: Annotation | undefined
}

/** Describes the end, and sets the output `cause`. Saves the record if a re-run continues. */
async function explain(
  report: RunReport,
  { loss, artifact }: { loss?: Loss | undefined; artifact?: Published['artifact'] },
  { inputs: { waiting }, retries, retryOn, recorder }: RunContext,
  step: Step,
): Promise<Explained> {
  const isSaved = async () => {
    await recorder?.close()
    return recorder?.isOnRecord === true
  }
  const isTakenOver = isTakenOverByRerun(report.end, loss) && (await isSaved())
  const { show } = step.secrets
  const end = describeEnd(report.end, {
    automation: report.target?.automation,
    isTakenOver,
    timeout: waiting.timeout,
    retries,
    retryOn,
    hasArtifact: artifact !== undefined,
    show,
  })
  const executionId = executionIdOf(report.end)
  const failure = failsStep(conclusionOf(report.end), waiting.failOn)
    ? end
    : loss && describeLoss(loss, { executionId, isTakenOver, show })
  // Even if `fail-on` lets the step pass, the log and the summary describe the failure.
  const explained = failure ?? end
  const annotation = explained && describeFailure(explained, report, artifact?.url, show)
  step.outputs.set('cause', annotation?.message.split('\n', 1)[0] ?? '')
  return { end, failure, annotation }
}

function verdictOf({ failure, annotation }: Explained): Verdict {
  return failure && annotation ? { kind: 'failed', annotation } : passed
}

/** Returns the missing result or output, if any. The step fails if something is missing. */
function lossOf(end: End, { outputs: { problem } }: Step): Loss | undefined {
  const result = end.kind === 'collected' ? end.files.result : undefined
  if (conclusionOf(end) === 'success' && result?.kind === 'unavailable') {
    return { title: 'result-not-fetched', why: result.why, failure: result.failure }
  }
  return problem && { title: 'outputs-not-written', why: problem.why }
}

function isTakenOverByRerun(end: End, loss: Loss | undefined): boolean {
  if (!('executionId' in end)) return false
  if (end.kind !== 'collected') return end.kind !== 'lost' || end.why !== 'not-found'
  return (isOpen(end) || loss !== undefined) && end.outcome === 'success'
}

/** Returns true if the step does not know how the run ended, or did not publish everything. */
function isOpen(end: End): boolean {
  return ['cancelled', 'unknown'].includes(conclusionOf(end))
}

/** Sets the conclusion to `cancelled` if the step was cancelled while files were published. */
function afterPublishing(followed: RunReport, { cancelled, outputs }: Step): RunReport {
  if (!cancelled.aborted) return followed
  const report = cutReport(followed)
  outputs.set('conclusion', conclusionOf(report.end))
  return report
}

function printTexts(
  end: End,
  { result, logTail }: Published,
  { printResult, printLog }: RunInputs['publishing'],
  failed: boolean,
  { log, secrets }: Step,
): void {
  if (result?.text !== undefined && isResultShown(conclusionOf(end)) && printResult) {
    const text = secrets.show(result.text).trimEnd()
    const head = firstLines(text)
    const whole = head === text && result.complete
    if (text) log.untrustedBlock(whole ? 'The result' : 'The beginning of the result', head)
  }
  const shown = printLog === 'always' || (printLog === 'on-failure' && failed)
  if (shown && logTail.trim()) log.untrustedBlock('Log of the automation', logTail.trimEnd())
}

// The maximum number of result lines in the log, and the maximum length of a line in UTF-16 units.
export const maxResultLines = 20
const maxResultLineLength = 2_000

function firstLines(text: string): string {
  const head = text.split('\n', maxResultLines)
  return head.map((line) => cut(line, maxResultLineLength)).join('\n')
}

function headlineOf(
  title: string,
  { end, duration }: RunReport,
  failure: Failure | undefined,
): string {
  const span = `after ${describeElapsed(duration)}`
  return conclusionOf(end) === 'success' && !failure ? `${title} ${span}` : `${title} (${span})`
}

/** Returns lines for the log if the step passes although the run may still be running. */
function linesOfOpenEnd({ title, happened, next }: Failure): string[] | undefined {
  if (title !== 'timed-out' && title !== 'not-over-yet') return undefined
  return [happened, `Next: ${next}`]
}
