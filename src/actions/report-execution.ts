/** Reports the end of an execution in outputs, files, log, job summary and annotation. */
import { cut } from '../cut.ts'
import { failsStep } from '../execution/conclusion.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { RetryPlan } from '../execution/retries.ts'
import type { Annotation } from '../messages/annotation.ts'
import { describeFailure } from '../messages/failure-annotation.ts'
import { describeSuccess } from '../messages/progress.ts'
import { describeElapsed } from '../messages/quantities.ts'
import { describeEnd, type Failure } from '../messages/failure.ts'
import { describeLoss, type Loss } from '../messages/loss.ts'
import { isResultShown } from '../messages/summary/result.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { publish, type PublishContext, type Published } from './publish.ts'
import { reportFiles } from './report-files.ts'
import { summarise } from './summarise.ts'

export interface ReportOptions extends PublishContext, Pick<RetryPlan, 'retries' | 'retryOn'> {
  waiting: Pick<RunInputs['waiting'], 'failOn' | 'timeout'>
  /** Saves the record. Resolves with true if it is certain that a re-run finds the execution. */
  saveForRerun: () => Promise<boolean>
}

export interface Reported {
  verdict: Verdict
  /** True if the run has finished and a re-run has nothing left to publish. */
  isReported: boolean
}

/**
 * Publishes the files, saves the record, and then reports the verdict. The files come first,
 * because a missing file may fail the step. The record comes before the annotation, because the
 * annotation says whether a re-run finds the execution.
 */
export async function reportExecution(
  followed: ExecutionReport,
  options: ReportOptions,
  step: Step,
): Promise<Reported> {
  const { publishing, linkOf } = options
  const { files } = followed
  reportFiles(followed, step)
  const published = files && (await publish(followed, files, options, step))
  const report = afterPublishing(followed, step)
  const loss = lossOf(report, step)
  const explained = await explain(report, { loss, artifact: published?.artifact }, options, step)
  const { end, failure, annotation } = explained
  if (published) printTexts(report, published, publishing, failure !== undefined, step)
  const allowed = failure ? '' : ', allowed by fail-on'
  const title = annotation ? `${annotation.title}${allowed}` : describeSuccess(report)
  step.log.verdict(headlineOf(title, report, failure), !failure)
  const remainder = failure ? undefined : end && linesOfOpenEnd(end)
  for (const line of remainder ?? []) step.log.info(line)
  await summarise(report, published, { title, failure, remainder, linkOf, publishing }, step)
  // If the result or an output is missing, a later attempt publishes the files again.
  const isLost = loss !== undefined || step.outputs.problem !== undefined
  const isOver = report.ending.kind === 'finished' && !isOpen(report)
  return { verdict: verdictOf(explained), isReported: isOver && !isLost }
}

/** Reports that the step was cancelled after its log and its job summary said that it passes. */
export async function reportLateCancellation(
  followed: ExecutionReport,
  options: ReportOptions,
  step: Step,
): Promise<Verdict> {
  return verdictOf(await explain(afterPublishing(followed, step), {}, options, step))
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
  report: ExecutionReport,
  { loss, artifact }: { loss?: Loss | undefined; artifact?: Published['artifact'] },
  { waiting, retries, retryOn, saveForRerun }: ReportOptions,
  step: Step,
): Promise<Explained> {
  const isTakenOver = isTakenOverByRerun(report, loss) && (await saveForRerun())
  const { show } = step.secrets
  const end = describeEnd(report, {
    isTakenOver,
    cancelled: step.cancelled,
    timeout: waiting.timeout,
    retries,
    retryOn,
    hasArtifact: artifact !== undefined,
    show,
  })
  const failure = failsStep(report.conclusion, waiting.failOn)
    ? end
    : loss && describeLoss(loss, { executionId: report.executionId, isTakenOver, show })
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
function lossOf(
  { conclusion, files }: ExecutionReport,
  { outputs: { problem } }: Step,
): Loss | undefined {
  const result = files?.result
  if (conclusion === 'success' && result?.kind === 'unavailable') {
    return { title: 'result-not-fetched', why: result.why, failure: result.failure }
  }
  return problem && { title: 'outputs-not-written', why: problem.why }
}

function isTakenOverByRerun(
  { ending, executionId, conclusion }: ExecutionReport,
  loss: Loss | undefined,
): boolean {
  if (executionId === undefined || ending.kind === 'not-found') return false
  if (ending.kind !== 'finished') return true
  return (isOpen({ conclusion }) || loss !== undefined) && ending.outcome === 'success'
}

/** Returns true if the step does not know how the run ended, or did not publish everything. */
function isOpen({ conclusion }: Pick<ExecutionReport, 'conclusion'>): boolean {
  return conclusion === 'cancelled' || conclusion === 'unknown'
}

/** Sets the conclusion to `cancelled` if the step was cancelled while files were published. */
function afterPublishing(report: ExecutionReport, { cancelled, outputs }: Step): ExecutionReport {
  if (!cancelled.aborted || report.executionId === undefined) return report
  if (report.conclusion !== 'cancelled') outputs.set('conclusion', 'cancelled')
  return { ...report, conclusion: 'cancelled' }
}

function printTexts(
  { conclusion }: ExecutionReport,
  { result, logTail }: Published,
  { printResult, printLog }: RunInputs['publishing'],
  failed: boolean,
  { log, secrets }: Step,
): void {
  if (result?.text !== undefined && isResultShown(conclusion) && printResult) {
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
  { conclusion, duration }: ExecutionReport,
  failure: Failure | undefined,
): string {
  const span = `after ${describeElapsed(duration)}`
  return conclusion === 'success' && !failure ? `${title} ${span}` : `${title} (${span})`
}

/** Returns lines for the log if the step passes although the run may still be running. */
function linesOfOpenEnd({ title, happened, next }: Failure): string[] | undefined {
  if (title !== 'timed-out' && title !== 'not-over-yet') return undefined
  return [happened, `Next: ${next}`]
}
