/** Whether and how a step fails: decided by what became of the execution, `fail-on` and the rules. */
import { messageOf } from '../errors.ts'
import { failsStep } from '../execution/conclusion.ts'
import type { Ending } from '../execution/ending.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { wholeProblem } from '../execution/result-problems.ts'
import { adviseOn, cancelledBefore } from '../messages/advice.ts'
import { ActionError } from '../messages/annotation.ts'
import { headingOf } from '../messages/catalogue.ts'
import type { FailureKind } from '../messages/failure.ts'
import { describeMoreProblems, showProblems } from '../messages/result-problems.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step } from '../runner/step.ts'
import { ServiceError } from '../service/errors.ts'
import type { SendOutcome } from '../service/send-at-most-once.ts'
import type { Published } from './publish.ts'

type Waiting = Pick<RunInputs['waiting'], 'failOn' | 'timeout'> &
  Pick<RunInputs['publishing'], 'printResult'>

/**
 * Undefined where the step passes. What was asked for and could not be written fails a step that
 * would pass otherwise: the next one counts on it.
 */
export function failureOf(
  report: ExecutionReport,
  published: Published | undefined,
  waiting: Waiting,
  step: Step,
): FailureKind | undefined {
  return failureByEnd(report, waiting, step) ?? lostCopy(published) ?? lostOutputs(step)
}

function failureByEnd(
  report: ExecutionReport,
  waiting: Waiting,
  step: Step,
): FailureKind | undefined {
  if (!failsStep(report.conclusion, waiting.failOn)) return lostResult(report)
  return failureAtEnd(report, waiting, step)
}

/** What an end that is no success is reported as, whether it fails the step or not. */
export function failureAtEnd(
  report: ExecutionReport,
  { timeout, printResult }: Omit<Waiting, 'failOn'>,
  step: Step,
): FailureKind | undefined {
  const { conclusion, ending, checks } = report
  // The step may have been cancelled after the run had ended.
  if (conclusion === 'cancelled') return cancelled(report)
  switch (ending.kind) {
    case 'finished':
      if (ending.outcome === 'success') return undefined
      if (ending.outcome === 'invalid-result') return invalidResult(report, printResult, step)
      return { kind: ending.outcome }
    case 'timed-out': {
      const { failure, failedChecks } = ending
      const isWebPage = failure?.isWebPage
      const lastFailure = failure?.message
      return { kind: 'timed-out', timeout, checks, failedChecks, lastFailure, isWebPage }
    }
    case 'cancelled':
      return cancelled(report)
    case 'not-started':
      return failureOfStart({ kind: 'refused', failure: ending.failure }, step)
    case 'unknown-start':
      return failureOfStart({ kind: 'unknown', failure: ending.failure }, step)
    case 'refused':
      return refusedAs('credentials-refused', ending)
    case 'rejected':
      return refusedAs('checks-refused', ending)
    case 'not-found':
      return { kind: 'not-found', words: ending.failure.words }
  }
}

function cancelled({ ending, notRetried, automation }: ExecutionReport): FailureKind {
  const retrying = notRetried?.kind === 'cancelled'
  // Of a run that this step started, that much is known without a check.
  const isStartedHere = automation !== undefined
  const unseen =
    ending.kind === 'cancelled' &&
    !ending.status &&
    (ending.failure !== undefined || !isStartedHere)
  return { kind: 'cancelled', ended: ending.kind === 'finished', retrying, unseen }
}

function invalidResult(
  { resultProblems }: ExecutionReport,
  printResult: boolean,
  { secrets }: Step,
): FailureKind {
  const shown = showProblems(
    resultProblems ?? wholeProblem('it is not known why'),
    secrets,
    printResult,
  )
  const [problem = ''] = shown.lines
  return { kind: 'invalid-result', problem, more: describeMoreProblems(shown) }
}

/** The next step counts on the result of a run that succeeded. */
function lostResult({ conclusion, files }: ExecutionReport): FailureKind | undefined {
  const result = files?.result
  return conclusion === 'success' && result?.kind === 'unavailable'
    ? { kind: 'result-not-fetched', why: result.why }
    : undefined
}

function lostCopy(published: Published | undefined): FailureKind | undefined {
  const [copy] = published?.lostCopies ?? []
  return copy && { kind: 'copy-not-written', input: copy.input, why: copy.why }
}

function lostOutputs({ outputs: { problem } }: Step): FailureKind | undefined {
  return problem && { kind: 'outputs-not-written', why: problem.why }
}

/** How a start failed: not taken by the service, or nobody knows. */
export function failureOfStart(
  { kind, failure }: Exclude<SendOutcome<never>, { kind: 'accepted' }>,
  step: Step,
): FailureKind {
  const cancelled = step.cancelled.aborted
  if (kind === 'unknown') {
    const why = cancelled ? 'no answer had come yet' : messageOf(failure)
    const isWebPage = failure instanceof ServiceError && failure.isWebPage
    return { kind: 'unknown-start', why, cancelled, isWebPage }
  }
  const { why, hint } = cancelled ? cancelledBefore : adviseOn(failure, 'start', step)
  return { kind: 'not-started', why, hint }
}

function refusedAs(
  kind: 'credentials-refused' | 'checks-refused',
  { failure: { status, words } }: Extract<Ending, { kind: 'refused' | 'rejected' }>,
): FailureKind {
  return { kind, status, words }
}

/** How a step ends that has no folder for what its runs leave: it starts none. */
export function nothingStarted(
  { automation }: { automation: string },
  why: string,
  cause?: unknown,
): ActionError {
  return new ActionError(`Nothing was started: ${why}.`, {
    ...headingOf('not-started', { subject: automation }),
    hint: "Make room in the runner's temp folder, then re-run this job.",
    cause,
  })
}
