/** Publishes the end of a run in outputs, files, record, log, job summary and annotation. */
import { cut } from '../cut.ts'
import {
  conclusionOf,
  isReportable,
  mayBeTakenOver,
  statusOf,
  type End,
  type RunReport,
} from '../execution/report.ts'
import type { RunSpec } from '../execution/follow-run.ts'
import { statusOutput } from '../messages/row-of.ts'
import type { ExecutionUrlOf } from '../messages/execution-url.ts'
import { isResultShown } from '../messages/summary/result.ts'
import { judge } from '../messages/judge.ts'
import type { RunInputs } from '../runner/inputs/action-inputs.ts'
import type { OutputValues, RunOutput } from '../runner/outputs.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import { verdictOf, type Step, type Verdict } from '../runner/step.ts'
import { publishFiles, type Published } from './publish-files.ts'
import { logFiles } from './log-files.ts'
import { summarise } from './summarise.ts'

export interface RunContext extends Pick<RunSpec, 'retrying'> {
  inputs: Pick<RunInputs, 'waiting' | 'publishing' | 'jobId'>
  storage: Pick<Storage, 'upload'>
  executionUrlOf: ExecutionUrlOf
  /** Saves the record for a re-run. Not given if the step starts no run. */
  recorder?: Pick<Recorder, 'close' | 'isOnRecord' | 'reported'>
  /** Work that is done while the run is published. */
  meanwhile?: Promise<void>
}

/**
 * Publishes a run, saves its record, and returns the verdict of the step. The conclusion comes first,
 * so that a step that is cut short has it. The files come before the verdict, because a missing file
 * may fail the step. The record comes before the annotation, because the annotation says whether a
 * re-run finds the execution.
 */
export async function publishRun(
  report: RunReport,
  context: RunContext,
  step: Step<RunOutput>,
): Promise<Verdict> {
  const { inputs, recorder, meanwhile } = context
  const { end } = report
  const { cancelled, log, heartbeat, outputs } = step
  heartbeat.begin('publishing')
  outputs.set(outputsOf(report, step))
  // A cancelled step has little time, so it saves the record while it publishes the run.
  const inParallel = Promise.all([meanwhile, cancelled.aborted ? recorder?.close() : undefined])
  logFiles(end, step)
  const published = await publishFiles(report, context, step)
  // If an output is missing, or the step was cancelled by now, the job is red. Then the record must
  // not say that the run was reported: a re-run publishes this run and pays for no other one.
  const isWhole = () => !cancelled.aborted && !outputs.problem
  const isComplete = () => isReportable(end) && isWhole()
  const judgeNow = async () => {
    const isLeftToRerun = !isComplete() && mayBeTakenOver(end)
    if (isLeftToRerun) await recorder?.close()
    const judged = judge(report, {
      failOn: inputs.waiting.failOn,
      timeout: inputs.waiting.timeout,
      retrying: context.retrying,
      outputsLost: outputs.problem?.why,
      cancelled: cancelled.aborted,
      rerunTakesOver: isLeftToRerun && recorder?.isOnRecord === true,
      artifactUrl: published.artifact?.url,
    })
    outputs.set({ cause: judged.cause })
    return judged
  }

  const wasWhole = isWhole()
  let judged = await judgeNow()
  printTexts(end, judged.fails, published, inputs.publishing, step)
  log.verdict(judged.headline, !judged.fails)
  for (const line of judged.lines) log.info(line)
  await summarise(report, judged, published, context, step)
  await inParallel
  if (isComplete()) await recorder?.reported(cancelled)
  if (wasWhole && !isWhole()) judged = await judgeNow()
  return verdictOf(judged)
}

/** Returns the outputs that are known before the run is published. */
function outputsOf(
  { end, duration, executions }: RunReport,
  { secrets }: Step,
): OutputValues<RunOutput> {
  const isKnown = 'executionId' in end
  // If a retry may have been started, the outputs must not name the execution before the retry.
  const nameless = !isKnown && executions.length > 0 ? '' : undefined
  return {
    'execution-id': nameless,
    'execution-url': nameless,
    conclusion: conclusionOf(end),
    status: isKnown ? statusOutput(statusOf(end), secrets.show) : undefined,
    'duration-seconds': isKnown ? String(Math.round(duration / 1000)) : undefined,
  }
}

function printTexts(
  end: End,
  fails: boolean,
  { result, logTail = '' }: Partial<Published>,
  { printResult, printLog }: RunInputs['publishing'],
  { log, secrets }: Step,
): void {
  if (result?.text !== undefined && isResultShown(conclusionOf(end)) && printResult) {
    const text = secrets.show(result.text).trimEnd()
    const head = firstLines(text)
    const whole = head === text && result.complete
    if (text) log.untrustedBlock(whole ? 'The result' : 'The beginning of the result', head)
  }
  const shown = printLog === 'always' || (printLog === 'on-failure' && fails)
  if (shown && logTail.trim()) log.untrustedBlock('Log of the automation', logTail.trimEnd())
}

// The maximum number of result lines in the log, and the maximum length of a line in UTF-16 units.
export const maxResultLines = 20
const maxResultLineLength = 2_000

function firstLines(text: string): string {
  const head = text.split('\n', maxResultLines)
  return head.map((line) => cut(line, maxResultLineLength)).join('\n')
}
