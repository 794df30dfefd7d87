/** Decides what the end of a run means for the step: whether the step fails, and what it says. */
import { failsStep } from '../execution/conclusion.ts'
import { conclusionOf, executionIdOf, type End, type RunReport } from '../execution/report.ts'
import { describeCancellation, failureOfEnd, type EndFacts, type Failure } from './failure.ts'
import { noticeOfFailure } from './failure-notice.ts'
import { failureOfLoss, lossIn, type Loss } from './loss.ts'
import type { Notice } from './notice.ts'
import { describeSuccess } from './progress.ts'
import { describeElapsed } from './quantities.ts'

/** What a step that ends says and does. */
export interface Judgement {
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
}

export interface RunJudgement extends Judgement {
  title: string
}

/** What decides about the step besides the end of the run. */
export interface Circumstances extends Omit<EndFacts, 'automation' | 'resultPlace'> {
  /** The input `fail-on`. */
  failOn: Parameters<typeof failsStep>[1]
  /** Why outputs could not be written. Undefined if all outputs were written. */
  outputsLost: string | undefined
  /** True if the step was cancelled. The cancellation may come after the end of the run. */
  cancelled: boolean
  /** The address of the artifact. Undefined if there is none. */
  artifactUrl: string | undefined
}

export function judge(report: RunReport, facts: Circumstances): RunJudgement {
  const { failOn, artifactUrl, rerunTakesOver } = facts
  const { end, target } = report
  const loss = lossIn(end) ?? lossOf(facts.outputsLost)
  const resultPlace = artifactUrl === undefined ? '(output result-file)' : 'in the artifact'
  const failureOfRun = failureOfEnd(end, { ...facts, automation: target?.automation, resultPlace })
  const failureOfStep = failsStep(conclusionOf(end), failOn)
    ? failureOfRun
    : loss && failureOfLoss(loss, { executionId: executionIdOf(end), rerunTakesOver })
  const late = facts.cancelled ? lateCancellation(end, rerunTakesOver) : undefined
  const fails = failureOfStep !== undefined || late !== undefined
  // Even if `fail-on` lets the step pass, the log and the summary describe the failure of the run.
  const failure = failureOfStep ?? failureOfRun
  const notice = noticeOf(failure, late, report, artifactUrl)
  const allowed = fails ? '' : ', allowed by fail-on'
  const title = notice ? `${notice.title}${allowed}` : describeSuccess(report)
  const span = `after ${describeElapsed(report.duration)}`
  return {
    fails,
    notice,
    cause: notice?.why[0] ?? '',
    title,
    headline: notice ? `${title} (${span})` : `${title} ${span}`,
    lines: fails ? [] : linesAfterTimeout(failureOfRun),
  }
}

/** Returns the missing outputs, if any. */
function lossOf(outputsLost: string | undefined): Loss | undefined {
  return outputsLost === undefined ? undefined : { title: 'outputs-not-written', why: outputsLost }
}

/** Returns the failure of a step that was cancelled when the conclusion of its run was known. */
function lateCancellation(end: End, rerunTakesOver: boolean): Failure | undefined {
  if (!('executionId' in end) || conclusionOf(end) === 'cancelled') return undefined
  const { executionId } = end
  const failure = describeCancellation({ kind: 'collected' }, { executionId, rerunTakesOver })
  return { ...failure, happened: 'The step was cancelled before it had published the run.' }
}

/** Returns the notice of a failure. It also names a late cancellation, if there is one. */
function noticeOf(
  failure: Failure | undefined,
  late: Failure | undefined,
  report: RunReport,
  artifactUrl: string | undefined,
): Notice | undefined {
  const main = failure ?? late
  const notice = main && noticeOfFailure(main, report, artifactUrl)
  return notice && failure && late ? { ...notice, why: [...notice.why, late.happened] } : notice
}

/** Returns lines for the log if the step passes although the run may still be running. */
function linesAfterTimeout(failure: Failure | undefined): string[] {
  if (failure?.title !== 'timed-out' && failure?.title !== 'not-over-yet') return []
  return [failure.happened, `Next: ${failure.next}`]
}
