/** The step's last words: log, summary, and whether it fails. */
import { cut } from '../cut.ts'
import type { Conclusion } from '../execution/conclusion.ts'
import { findCause, type Cause } from '../execution/cause.ts'
import type { Ending } from '../execution/ending.ts'
import { describeFailure, type Annotation } from '../messages/annotation.ts'
import { describeElapsed } from '../messages/elapsed.ts'
import { hintFor, whatHappened } from '../messages/failure.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { OutputProblem } from '../runner/outputs.ts'
import { showTexts } from '../messages/text/shown-texts.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import type { SummaryFacts } from '../messages/summary/facts.ts'
import { workflowRunOf } from '../runner/workflow-run.ts'
import { finderIn } from '../runner/workspace.ts'
import type { Run } from '../messages/execution-record.ts'
import { failureOf, timedOut } from './failure.ts'
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
  /** The first output that could not be handed on. */
  unwritten: OutputProblem | undefined
}

export async function report(given: Report, step: Step): Promise<Verdict> {
  // The runner may have ended the step while files were fetched or uploaded.
  const facts = step.cancelled.aborted ? { ...given, conclusion: 'cancelled' as const } : given
  const failure = failureOf(facts)
  const cause = causeOf(facts)
  // Before anything is cut: half a secret is one that nobody finds.
  const show = (text: string) => step.secrets.show(text)
  const annotation =
    failure && describeFailure(showTexts({ ...circumstances(facts, step), failure, cause }, show))
  if (facts.conclusion !== given.conclusion) step.outputs.set('conclusion', facts.conclusion)
  printTexts(facts, failure !== undefined, step)
  step.log.verdict(headlineOf(facts, annotation), !annotation)
  const remainder = failure ? undefined : whatIsLeftToDo(facts)
  for (const line of remainder?.split('\n') ?? []) step.log.info(line)
  if (facts.publishing.summary) await summarise(facts, { failure, cause, message: remainder }, step)
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

function printTexts(
  { conclusion, published, publishing }: Report,
  failed: boolean,
  { log, secrets }: Step,
): void {
  if (!published) return
  const { result, logTail } = published
  // What a failed run leaves is seldom worth more than its file.
  if (result?.text !== undefined && conclusion === 'success' && publishing.printResult) {
    const text = secrets.show(result.text, !result.complete).trimEnd()
    const head = firstLines(text)
    const whole = head === text && result.complete
    if (text) log.untrustedBlock(whole ? 'The result' : 'The beginning of the result', head)
  }
  const shown = publishing.printLog === 'always' || (publishing.printLog === 'on-failure' && failed)
  if (shown && logTail.trim()) log.untrustedBlock('Log of the automation', logTail.trimEnd())
}

// More of a result than this belongs into a file, not into a log.
const resultLinesShown = 20
const longestResultLine = 2_000

function firstLines(text: string): string {
  const head = text.split('\n', resultLinesShown)
  return head.map((line) => cut(line, longestResultLine)).join('\n')
}

function headlineOf({ run, conclusion, finishedAt }: Report, annotation?: Annotation): string {
  const duration = describeElapsed(finishedAt - run.startedAt)
  if (annotation) return `${annotation.title} (after ${duration})`
  const subject = run.automation ?? `Execution ${run.executionId}`
  if (conclusion === 'success') return `${subject} succeeded after ${duration}`
  return `${subject}: ${conclusion} (after ${duration}), allowed by fail-on`
}

/** A run that goes on must not get lost from sight, even where `fail-on` lets that pass. */
function whatIsLeftToDo(facts: Report): string | undefined {
  if (facts.conclusion !== 'timed-out') return undefined
  const ending = timedOut(facts)
  return `${whatHappened(ending)}\nNext: ${hintFor(ending, facts.run.executionId)}`
}

async function summarise(
  { run, conclusion, checks, finishedAt, published, publishing }: Report,
  told: Pick<SummaryFacts, 'failure' | 'cause' | 'message'>,
  step: Step,
): Promise<void> {
  const { artifact, logTail, result } = published ?? {}
  const facts = {
    ...{ ...told, conclusion, failed: told.failure !== undefined, checks },
    ...{ automation: run.automation, project: run.project, executionId: run.executionId },
    webhookGiven: run.webhookGiven,
    duration: finishedAt - run.startedAt,
    artifact: artifact?.kind === 'uploaded' ? artifact : undefined,
    runUrl: workflowRunOf(step.environment).url,
    log: logTail,
    result: result && (publishing.printResult ? result : { ...result, text: undefined }),
  }
  await addSummary(facts, step)
}
