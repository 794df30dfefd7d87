/** Whether and how a step fails: decided by what became of the execution, `fail-on` and the rules. */
import { failsStep } from '../execution/conclusion.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { ResultPlace } from '../messages/advice.ts'
import { describeEnd, describeLoss, type Failure, type Loss } from '../messages/failure.ts'
import { showProblems } from '../messages/result-problems.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step } from '../runner/step.ts'
import type { Published } from './publish.ts'

export interface Judging extends Pick<RunInputs['waiting'], 'failOn' | 'timeout'> {
  printResult: boolean
  resultPlace: ResultPlace | undefined
  hasSummary: boolean
  /** A re-run of the job takes the execution over, and starts nothing: for certain. */
  isTakenOver: boolean
}

/**
 * Undefined where the step passes. What was asked for and could not be written fails a step that
 * would pass otherwise: the next one counts on it.
 */
export function failureOf(
  report: ExecutionReport,
  published: Pick<Published, 'lostCopies'> | undefined,
  judging: Judging,
  step: Step,
): Failure | undefined {
  if (failsStep(report.conclusion, judging.failOn)) return failureAtEnd(report, judging, step)
  const loss = lossOf(report, published, step)
  const { isTakenOver } = judging
  const { executionId } = report
  return loss && describeLoss(loss, { executionId, isTakenOver, secrets: step.secrets })
}

/** What an end that is no success is reported as, whether it fails the step or not. */
export function failureAtEnd(
  report: ExecutionReport,
  { printResult, ...judging }: Omit<Judging, 'failOn'>,
  { secrets, cancelled }: Step,
): Failure | undefined {
  const { resultProblems } = report
  const problems = resultProblems && showProblems(resultProblems, secrets, printResult)
  const isCancelled = cancelled.aborted
  return describeEnd(report, { ...judging, problems, isCancelled, secrets })
}

/** The next step counts on the result of a run that succeeded, on copies and on outputs. */
export function lossOf(
  { conclusion, files }: ExecutionReport,
  published: Pick<Published, 'lostCopies'> | undefined,
  { outputs: { problem } }: Step,
): Loss | undefined {
  const result = files?.result
  if (conclusion === 'success' && result?.kind === 'unavailable') {
    return { title: 'result-not-fetched', why: result.why, isRefused: result.isRefused === true }
  }
  const [copy] = published?.lostCopies ?? []
  if (copy) return { title: 'copy-not-written', input: copy.input, why: copy.why }
  return problem && { title: 'outputs-not-written', why: problem.why }
}
