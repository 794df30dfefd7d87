/** Whether and how a step fails: decided by what became of the execution, `fail-on` and the rules. */
import { messageOf } from '../errors.ts'
import { failsStep } from '../execution/conclusion.ts'
import type { Ending } from '../execution/ending.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { adviseOn, cancelledBefore } from '../messages/advice.ts'
import type { FailureKind } from '../messages/failure.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step } from '../runner/step.ts'
import { ServiceError } from '../service/errors.ts'
import type { SendOutcome } from '../service/send-at-most-once.ts'
import type { Published } from './publish.ts'

type Waiting = Pick<RunInputs['waiting'], 'failOn' | 'timeout'>

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
  { failOn, timeout }: Waiting,
  step: Step,
): FailureKind | undefined {
  const { conclusion, ending } = report
  if (conclusion === 'success') return lostResult(report)
  if (!failsStep(conclusion, failOn)) return undefined
  switch (conclusion) {
    case 'error':
    case 'container-error':
    case 'stopped':
      return { kind: conclusion }
    case 'timed-out':
      return timedOut(report, timeout)
    case 'cancelled':
      return cancelled(report)
    case 'unknown':
    case 'refused':
    case 'not-started':
      return withoutEnd(ending, step)
  }
}

function cancelled({ ending, notRetried }: ExecutionReport): FailureKind {
  const retrying = notRetried?.kind === 'cancelled'
  return { kind: 'cancelled', ended: ending.kind === 'finished', retrying }
}

/** What a run that was not seen to end is told as, whether it fails the step or not. */
export function timedOut({ checks, ending }: ExecutionReport, timeout: number): FailureKind {
  const { failure, failedChecks } =
    ending.kind === 'timed-out' ? ending : { failure: undefined, failedChecks: 0 }
  return { kind: 'timed-out', timeout, checks, failedChecks, lastFailure: failure?.message }
}

/** The next step counts on the result of a run that succeeded. */
function lostResult({ files }: ExecutionReport): FailureKind | undefined {
  const result = files?.result
  return result?.kind === 'unavailable'
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

/** Of a start that did not clearly happen, and of an execution that can't be watched. */
function withoutEnd(ending: Ending, step: Step): FailureKind {
  switch (ending.kind) {
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
    case 'finished':
    case 'timed-out':
    case 'cancelled':
      return { kind: 'not-found', words: '' }
  }
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
