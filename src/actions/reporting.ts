/** The step's last words: log, summary, and whether it fails. */
import type { Conclusion } from '../execution/conclusion.ts'
import { findCause, type Cause } from '../execution/cause.ts'
import type { Ending } from '../execution/follow.ts'
import { describeFailure, type Annotation, type FailureKind } from '../github/annotation.ts'
import { describeElapsed } from '../github/elapsed.ts'
import type { RunInputs } from '../github/inputs/read.ts'
import { passed, type Step, type Verdict } from '../github/step.ts'
import { describeSize } from '../github/summary/size.ts'
import { workflowRunOf } from '../github/workflow-run.ts'
import { finderIn } from '../github/workspace.ts'
import type { Run } from './execution-record.ts'
import { failureOf } from './failure.ts'
import { addSummary } from './summarising.ts'
import type { Published } from './publishing.ts'

export interface Report {
  run: Run
  waiting: RunInputs['waiting']
  publishing: RunInputs['publishing']
  ending: Ending
  checks: number
  conclusion: Conclusion
  finishedAt: number
  published: Published | undefined
}

export async function report(given: Report, step: Step): Promise<Verdict> {
  // The runner may have ended the step while files were fetched or uploaded.
  const facts = step.cancelled.aborted ? { ...given, conclusion: 'cancelled' as const } : given
  const failure = failureOf(facts)
  const cause = causeOf(facts)
  const annotation = failure && describeFailure({ ...circumstances(facts, step), failure, cause })
  if (facts.conclusion !== given.conclusion) step.outputs.set('conclusion', facts.conclusion)
  showTexts(facts, failure !== undefined, step)
  step.log.verdict(headlineOf(facts, annotation), !annotation)
  if (facts.publishing.summary) await summarise(facts, failure, cause, step)
  return annotation ? { kind: 'failed', annotation } : passed
}

function causeOf({ conclusion, published }: Report): Cause | undefined {
  const failed = conclusion === 'error' || conclusion === 'container-error'
  return failed && published?.logTail ? findCause(published.logTail) : undefined
}

function circumstances({ run, finishedAt, published }: Report, { environment }: Step) {
  const { artifact, files } = published ?? {}
  return {
    automation: run.automation,
    executionId: run.executionId,
    duration: finishedAt - run.startedAt,
    artifactUrl: artifact?.kind === 'uploaded' ? artifact.url : undefined,
    logFile: files?.log.kind === 'file' ? files.log.path : undefined,
    findInWorkspace: finderIn(environment),
  }
}

/** More of a result than this belongs into a file, not into a log. */
const resultLinesShown = 20

function showTexts({ published, publishing }: Report, failed: boolean, { log }: Step): void {
  if (!published) return
  const { result, logTail } = published
  if (result?.text) {
    const head = result.text.split('\n', resultLinesShown).join('\n')
    log.foreignBlock(`Result (${result.name}, ${describeSize(result.size)})`, head)
  }
  const shown = publishing.printLog === 'always' || (publishing.printLog === 'on-failure' && failed)
  if (shown && logTail) log.foreignBlock('Log of the automation', logTail)
}

function headlineOf({ run, conclusion, finishedAt }: Report, annotation?: Annotation): string {
  const duration = describeElapsed(finishedAt - run.startedAt)
  if (annotation) return `${annotation.title} after ${duration}`
  const subject = run.automation ?? `Execution ${run.executionId}`
  if (conclusion === 'success') return `${subject} succeeded after ${duration}`
  return `${subject} ended with ${conclusion} after ${duration}, which fail-on lets pass`
}

async function summarise(
  { run, conclusion, checks, finishedAt, published }: Report,
  failure: FailureKind | undefined,
  cause: Cause | undefined,
  step: Step,
): Promise<void> {
  const { artifact, logTail, result } = published ?? {}
  const facts = {
    ...{ conclusion, failed: failure !== undefined, failure, cause, checks },
    ...{ automation: run.automation, project: run.project, executionId: run.executionId },
    webhookGiven: run.webhookGiven,
    duration: finishedAt - run.startedAt,
    artifact: artifact?.kind === 'uploaded' ? artifact : undefined,
    runUrl: workflowRunOf(step.environment).url,
    log: logTail,
    result: result,
  }
  await addSummary(facts, step)
}
