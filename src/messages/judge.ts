/** Decides what the end of a run means for the step: whether the step fails, and what it says. */
import { failsStep } from '../execution/conclusion.ts'
import { conclusionOf, type RunReport } from '../execution/report.ts'
import { describeCancellation, failureOfEnd, type EndFacts, type Failure } from './failure.ts'
import { noticeOfFailure } from './failure-notice.ts'
import { failureOfLoss } from './loss.ts'
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
  const conclusion = conclusionOf(end)
  const resultPlace = artifactUrl === undefined ? '(output result-file)' : 'in the artifact'
  const failureOfRun = failureOfEnd(end, { ...facts, automation: target?.automation, resultPlace })
  const known = 'executionId' in end ? end : undefined
  const failureOfStep = failsStep(conclusion, failOn)
    ? failureOfRun
    : known && failureOfLoss(known, facts.outputsLost, rerunTakesOver)
  const isLate = facts.cancelled && known !== undefined && conclusion !== 'cancelled'
  const late = isLate ? lateCancellation(known.executionId, rerunTakesOver) : undefined
  const fails = failureOfStep !== undefined || late !== undefined
  // Even if `fail-on` lets the step pass, the log and the summary describe the failure of the run.
  const main = failureOfStep ?? failureOfRun
  const failure = main && late ? { ...main, why: [...main.why, ...late.why] } : (main ?? late)
  const notice = failure && noticeOfFailure(failure, report, artifactUrl)
  const allowed = fails ? '' : ', allowed by fail-on'
  const title = notice ? `${notice.title}${allowed}` : describeSuccess(report)
  const span = `after ${describeElapsed(report.duration)}`
  const mayRun = !fails && end.kind === 'timed-out'
  return {
    fails,
    notice,
    cause: notice?.why[0] ?? '',
    title,
    headline: notice ? `${title} (${span})` : `${title} ${span}`,
    lines: mayRun && notice ? [...notice.why, ...notice.advice] : [],
  }
}

/** Returns the failure of a step that was cancelled when the conclusion of its run was known. */
function lateCancellation(executionId: string, rerunTakesOver: boolean): Failure {
  const failure = describeCancellation({ kind: 'collected', executionId }, rerunTakesOver)
  return { ...failure, why: ['The step was cancelled before it had published the run.'] }
}
