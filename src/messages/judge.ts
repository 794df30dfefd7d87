/** Decides what the end of a run means for the step: whether the step fails, and what it says. */
import { failsStep, type Conclusion } from '../execution/conclusion.ts'
import {
  conclusionOf,
  cancelledReport,
  executionIdOf,
  type Collected,
  type End,
  type RunReport,
} from '../execution/report.ts'
import { failureOfEnd, type EndFacts, type Failure } from './failure.ts'
import { noticeOfFailure } from './failure-notice.ts'
import { failureOfLoss, lossIn, type Loss } from './loss.ts'
import type { Notice } from './notice.ts'
import { describeSuccess } from './progress.ts'
import { describeElapsed } from './quantities.ts'

/** What a step that ends says and does. */
export interface Judgement {
  conclusion: string
  /** True if the step fails. Then there is a notice. */
  fails: boolean
  /** What went wrong. With `fail-on`, the step may pass all the same. */
  notice: Notice | undefined
  /** The output `cause`. Empty if nothing went wrong. */
  cause: string
  /** The last words of the log. */
  headline: string
  /** Lines of the log after the headline. They say what to do although the step passes. */
  lines: readonly string[]
  /**
   * True if everything has ended and is published, so that a re-run has nothing left to publish. In a
   * batch, all runs must have succeeded too.
   */
  isComplete: boolean
  /** True if the notice depends on whether a re-run finds the record of this step. */
  dependsOnRecord: boolean
}

export interface RunJudgement extends Judgement {
  conclusion: Conclusion
  /** The run as the step reports it. If the step was cancelled, it reports no end of the run. */
  report: RunReport
  title: string
}

/** What decides about the step besides the end of the run. */
export interface Circumstances extends Omit<
  EndFacts,
  'automation' | 'rerunTakesOver' | 'hasArtifact'
> {
  /** The input `fail-on`. */
  failOn: Parameters<typeof failsStep>[1]
  /** Why outputs could not be written. Undefined if all outputs were written. */
  outputsLost: string | undefined
  /** True if the step was cancelled. The cancellation may come after the end of the run. */
  cancelled: boolean
  /** True if a re-run of the job certainly finds the execution. */
  isOnRecord: boolean
  /** The address of the artifact. Undefined if there is none. */
  artifactUrl: string | undefined
}

export function judge(followed: RunReport, facts: Circumstances): RunJudgement {
  const { failOn, isOnRecord, artifactUrl } = facts
  const report = facts.cancelled ? cancelledReport(followed) : followed
  const { end, target } = report
  const conclusion = conclusionOf(end)
  const loss = lossIn(end) ?? lossOf(facts.outputsLost)
  const dependsOnRecord = mayRerunTakeOver(end, loss)
  const rerunTakesOver = dependsOnRecord && isOnRecord
  const automation = target?.automation
  const hasArtifact = artifactUrl !== undefined
  const failureOfRun = failureOfEnd(end, { ...facts, automation, rerunTakesOver, hasArtifact })
  const failure = failsStep(conclusion, failOn)
    ? failureOfRun
    : loss && failureOfLoss(loss, { executionId: executionIdOf(end), rerunTakesOver })
  // Even if `fail-on` lets the step pass, the log and the summary describe the failure.
  const explained = failure ?? failureOfRun
  const notice = explained && noticeOfFailure(explained, report, artifactUrl)
  const allowed = failure ? '' : ', allowed by fail-on'
  const title = notice ? `${notice.title}${allowed}` : describeSuccess(report)
  const span = `after ${describeElapsed(report.duration)}`
  return {
    conclusion,
    report,
    fails: failure !== undefined,
    notice,
    cause: notice?.why[0] ?? '',
    title,
    headline: notice ? `${title} (${span})` : `${title} ${span}`,
    lines: failure ? [] : linesAfterTimeout(failureOfRun),
    isComplete: end.kind === 'collected' && !isUnsettled(end) && !loss,
    dependsOnRecord,
  }
}

/** Returns the missing outputs, if any. */
function lossOf(outputsLost: string | undefined): Loss | undefined {
  return outputsLost === undefined ? undefined : { title: 'outputs-not-written', why: outputsLost }
}

function mayRerunTakeOver(end: End, loss: Loss | undefined): boolean {
  if (!('executionId' in end)) return false
  if (end.kind !== 'collected') return end.kind !== 'lost' || end.why !== 'not-found'
  return (isUnsettled(end) || loss !== undefined) && end.outcome === 'success'
}

/** Returns true if the step was cancelled, or if the result was not validated. */
function isUnsettled(end: Collected): boolean {
  return ['cancelled', 'unknown'].includes(conclusionOf(end))
}

/** Returns lines for the log if the step passes although the run may still be running. */
function linesAfterTimeout(failure: Failure | undefined): string[] {
  if (failure?.title !== 'timed-out' && failure?.title !== 'not-over-yet') return []
  return [failure.happened, `Next: ${failure.next}`]
}
