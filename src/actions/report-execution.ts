/** Reports what became of an execution: outputs, files, log, job summary, the one annotation. */
import { cut } from '../cut.ts'
import { failsStep } from '../execution/conclusion.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { describeFailure } from '../messages/failure-annotation.ts'
import { describeSuccess } from '../messages/progress.ts'
import { describeElapsed } from '../messages/quantities.ts'
import { describeEnd, type Failure } from '../messages/failure.ts'
import { describeLoss, type Loss, type MissingCopy } from '../messages/loss.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { finderIn } from '../runner/workspace.ts'
import { publish, publishFilesBefore, type Published } from './publish.ts'
import { summarise } from './summarise.ts'

export interface ReportOptions {
  waiting: Pick<RunInputs['waiting'], 'failOn' | 'timeout'>
  /** The input; 0 in `wait`, which has none. */
  retries: number
  publishing: RunInputs['publishing']
  storage: Pick<Storage, 'upload'>
  /** Saves what is known; resolves with whether a re-run finds this execution for certain. */
  saveForRerun: () => Promise<boolean>
}

export interface Reported {
  verdict: Verdict
  /** Whether people and the next steps know the end by now, all of it. */
  isHandedOn: boolean
}

/**
 * The order matters. Publishing shows what was lost. A loss decides whether a re-run needs the
 * record, so it is saved next. Whether it is saved for certain decides the words of the annotation,
 * which the output `cause` and the summary repeat.
 */
export async function reportExecution(
  followed: ExecutionReport,
  missingCopies: readonly MissingCopy[],
  { waiting, retries, publishing, storage, saveForRerun }: ReportOptions,
  step: Step,
): Promise<Reported> {
  const { files, filesBefore } = followed
  const published = files && (await publish(followed, files, publishing, storage, step))
  if (filesBefore) await publishFilesBefore(followed, filesBefore, publishing, storage, step)
  const report = afterPublishing(followed, step)
  const loss = lossOf(report, missingCopies, step)
  const isTakenOver = isLeftToRerun(report, loss) && (await saveForRerun())
  const { show } = step.secrets
  const end = describeEnd(report, {
    isTakenOver,
    isCancelled: step.cancelled.aborted,
    timeout: waiting.timeout,
    retries,
    show,
  })
  const failure = failsStep(report.conclusion, waiting.failOn)
    ? end
    : loss && describeLoss(loss, { executionId: report.executionId, isTakenOver, show })
  // What an end that fail-on lets pass would be reported as, it is explained as.
  const explained = failure ?? end
  const place = {
    artifactUrl: published?.artifact?.url,
    findInWorkspace: finderIn(step.environment),
  }
  const annotation = explained && describeFailure(explained, report, place, show)
  step.outputs.set('cause', annotation?.message.split('\n', 1)[0] ?? '')
  if (published) printTexts(report, published, publishing, failure !== undefined, step)
  const allowed = failure ? '' : ', allowed by fail-on'
  const title = annotation ? `${annotation.title}${allowed}` : describeSuccess(report)
  step.log.verdict(headlineOf(title, report, failure), !failure)
  const remainder = failure ? undefined : end && whatIsLeftToDo(end)
  for (const line of remainder ?? []) step.log.info(line)
  await summarise(report, published, { title, failure, remainder, publishing }, step)
  const verdict = failure && annotation ? ({ kind: 'failed', annotation } as const) : passed
  // A later attempt of the job publishes again what this one could not publish.
  const isLost = step.outputs.problem !== undefined || isRepairable(loss)
  const isOver = report.ending.kind === 'finished' && report.conclusion !== 'cancelled'
  return { verdict, isHandedOn: isOver && !isLost }
}

/**
 * What fails a step that would pass otherwise: the next one counts on the result of a run that
 * succeeded, on its copies and on outputs.
 */
function lossOf(
  { conclusion, files }: ExecutionReport,
  missingCopies: readonly MissingCopy[],
  { outputs: { problem } }: Step,
): Loss | undefined {
  const result = files?.result
  if (conclusion === 'success' && result?.kind === 'unavailable') {
    return { title: 'result-not-fetched', why: result.why, obstacle: result.obstacle }
  }
  if (conclusion === 'success' && missingCopies.length > 0) {
    const isKept = missingCopies.every(({ kind }) => kind !== 'not-kept')
    return { title: isKept ? 'copy-not-written' : 'copy-not-kept', copies: missingCopies }
  }
  return problem && { title: 'outputs-not-written', why: problem.why }
}

/** False for a file that the automation does not keep: each re-run would miss it again. */
function isRepairable(loss: Loss | undefined): boolean {
  return loss !== undefined && loss.title !== 'copy-not-kept'
}

/** A re-run starts anew what failed or was not found. What goes on, and a success, it takes over. */
function isLeftToRerun(
  { ending, executionId, conclusion }: ExecutionReport,
  loss: Loss | undefined,
): boolean {
  if (executionId === undefined || ending.kind === 'not-found') return false
  if (ending.kind !== 'finished') return true
  return (conclusion === 'cancelled' || isRepairable(loss)) && ending.outcome === 'success'
}

/** The runner may have ended the step while files were fetched or uploaded. */
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
  // What a failed run leaves is seldom worth more than its file.
  if (result?.text !== undefined && conclusion === 'success' && printResult) {
    const text = secrets.show(result.text).trimEnd()
    const head = firstLines(text)
    const whole = head === text && result.complete
    if (text) log.untrustedBlock(whole ? 'The result' : 'The beginning of the result', head)
  }
  const shown = printLog === 'always' || (printLog === 'on-failure' && failed)
  if (shown && logTail.trim()) log.untrustedBlock('Log of the automation', logTail.trimEnd())
}

// More of a result than this belongs into a file, not into a log.
const maxResultLines = 20
const maxResultLineLength = 2_000

function firstLines(text: string): string {
  const head = text.split('\n', maxResultLines)
  return head.map((line) => cut(line, maxResultLineLength)).join('\n')
}

function headlineOf(
  title: string,
  { executionId, conclusion, duration }: ExecutionReport,
  failure: Failure | undefined,
): string {
  if (executionId === undefined) return title
  const span = `after ${describeElapsed(duration)}`
  return conclusion === 'success' && !failure ? `${title} ${span}` : `${title} (${span})`
}

/** A run that goes on must not get lost from sight, even where `fail-on` lets that pass. */
function whatIsLeftToDo({ title, happened, next }: Failure): string[] | undefined {
  if (title !== 'timed-out' && title !== 'not-over-yet') return undefined
  return [happened, `Next: ${next}`]
}
