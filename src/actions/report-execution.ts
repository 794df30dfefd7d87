/** Reports what became of an execution: outputs, files, log, job summary, the one annotation. */
import { cut } from '../cut.ts'
import type { Outcome } from '../execution/conclusion.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { Annotation } from '../messages/annotation.ts'
import { describeFailure } from '../messages/failure-annotation.ts'
import { describeElapsed } from '../messages/quantities.ts'
import type { ResultPlace } from '../messages/advice.ts'
import type { Failure } from '../messages/failure.ts'
import type { RunTitle } from '../messages/catalogue.ts'
import { describeAttempts } from '../messages/retries.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { finderIn } from '../runner/workspace.ts'
import { failureAtEnd, failureOf, lossOf } from './failure.ts'
import { publish, publishFilesBefore, type Published } from './publish.ts'
import { summarise } from './summarise.ts'

export interface ReportOptions {
  waiting: Pick<RunInputs['waiting'], 'failOn' | 'timeout'>
  publishing: RunInputs['publishing']
  storage: Pick<Storage, 'upload'>
  /** Saves what is known; resolves with whether a re-run finds this execution for certain. */
  saveForRerun: () => Promise<boolean>
}

export interface Reported {
  verdict: Verdict
  /** The end that people and the next steps know by now, all of it; undefined where it is not. */
  outcome: Outcome | undefined
}

export async function reportExecution(
  followed: ExecutionReport,
  { waiting, publishing, storage, saveForRerun }: ReportOptions,
  step: Step,
): Promise<Reported> {
  const { files, filesBefore } = followed
  const published = files && (await publish(followed, files, publishing, storage, step))
  if (filesBefore) await publishFilesBefore(followed, filesBefore, publishing, storage, step)
  const report = afterPublishing({ ...followed, files: published?.files ?? files }, step)
  const isTakenOver = isLeftToRerun(report, published, step) && (await saveForRerun())
  const { printResult, summary: hasSummary } = publishing
  const resultPlace = published && resultPlaceIn(published)
  const judging = { ...waiting, printResult, isTakenOver, resultPlace, hasSummary }
  const failure = failureOf(report, published, judging, step)
  const annotation = failure && annotate(failure, report, published, step)
  const allowed = failure ? undefined : failureAtEnd(report, judging, step)
  const explained = annotation ?? (allowed && annotate(allowed, report, published, step))
  step.outputs.set('cause', explained?.message.split('\n', 1)[0] ?? '')
  if (published) printTexts(report, published, publishing, failure !== undefined, step)
  step.log.verdict(headlineOf(report, annotation), !annotation)
  const remainder = allowed && whatIsLeftToDo(allowed)
  for (const line of remainder ?? []) step.log.info(line)
  await summarise(report, published, { failure, remainder, publishing }, step)
  const verdict = annotation ? ({ kind: 'failed', annotation } as const) : passed
  return { verdict, outcome: reportedOutcome(report, failure, step) }
}

function resultPlaceIn({ files, artifact }: Published): ResultPlace | undefined {
  if (files.result.kind !== 'file') return undefined
  return artifact?.kind === 'uploaded' ? 'artifact' : 'runner'
}

/** A later attempt of the job hands on again what this one could not hand on. */
const notHandedOn = new Set<RunTitle>([
  'cancelled',
  'result-not-fetched',
  'copy-not-written',
  'outputs-not-written',
])

function reportedOutcome(
  { ending }: ExecutionReport,
  failure: Failure | undefined,
  { outputs }: Step,
): Outcome | undefined {
  const isLost = outputs.problem !== undefined || (failure && notHandedOn.has(failure.title))
  return ending.kind === 'finished' && !isLost ? ending.outcome : undefined
}

/** A re-run starts anew what failed or was not found. What goes on, and a success, it takes over. */
function isLeftToRerun(
  report: ExecutionReport,
  published: Published | undefined,
  step: Step,
): boolean {
  const { ending, executionId, conclusion } = report
  if (executionId === undefined || ending.kind === 'not-found') return false
  if (ending.kind !== 'finished') return true
  const isLost = conclusion === 'cancelled' || lossOf(report, published, step) !== undefined
  return isLost && ending.outcome === 'success'
}

/** The runner may have ended the step while files were fetched or uploaded. */
function afterPublishing(report: ExecutionReport, { cancelled, outputs }: Step): ExecutionReport {
  if (!cancelled.aborted || report.executionId === undefined) return report
  if (report.conclusion !== 'cancelled') outputs.set('conclusion', 'cancelled')
  return { ...report, conclusion: 'cancelled' }
}

function annotate(
  failure: Failure,
  report: ExecutionReport,
  published: Published | undefined,
  { environment, secrets }: Step,
): Annotation {
  const { artifact } = published ?? {}
  const log = report.files?.log
  const subject = { ...report, attemptsLine: describeAttempts(report, { secrets }) }
  const place = {
    artifactUrl: artifact?.kind === 'uploaded' && log?.kind === 'file' ? artifact.url : undefined,
    logFile: log?.kind === 'file' ? log.path : undefined,
    isLogUnkept: log?.kind === 'not-kept',
    findInWorkspace: finderIn(environment),
  }
  return describeFailure(failure, subject, place, secrets.show)
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

function headlineOf(report: ExecutionReport, annotation?: Annotation): string {
  const { automation, executionId = '', conclusion } = report
  const duration = describeElapsed(report.duration)
  if (annotation && !executionId) return annotation.title
  if (annotation) return `${annotation.title} (after ${duration})`
  const subject = automation ?? `Execution ${executionId}`
  if (conclusion === 'success') return `${subject} succeeded after ${duration}`
  return `${subject}: ${conclusion} (after ${duration}), allowed by fail-on`
}

/** A run that goes on must not get lost from sight, even where `fail-on` lets that pass. */
function whatIsLeftToDo({ title, happened, next }: Failure): string[] | undefined {
  if (title !== 'timed-out' && title !== 'not-over-yet') return undefined
  return [happened, `Next: ${next}`]
}
