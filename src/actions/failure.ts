import { messageOf } from '../errors.ts'
import type { Ending } from '../execution/ending.ts'
import type { FailureKind } from '../messages/annotation.ts'
import type { Report } from './reporting.ts'

/**
 * How the step fails; undefined where it passes. What counts, `fail-on` and the rules decide; what
 * was asked for and could not be written fails any other step.
 */
export function failureOf(report: Report): FailureKind | undefined {
  return failureByEnd(report) ?? lostCopy(report.published) ?? lostOutputs(report)
}

function failureByEnd(report: Report): FailureKind | undefined {
  const { conclusion, ending, waiting, published } = report
  switch (conclusion) {
    case 'success':
      return lostResult(published)
    case 'error':
    case 'container-error':
    case 'stopped':
      return waiting.failOn.has(conclusion) ? { kind: conclusion } : undefined
    case 'timed-out':
      return waiting.failOn.has(conclusion) ? timedOut(report) : undefined
    case 'cancelled':
      return { kind: 'cancelled', ended: ending.kind === 'finished' }
    case 'unknown':
      return unwatchable(ending)
  }
}

/** What a run that was not seen to end is told as, whether it fails the step or not. */
export function timedOut({ waiting, checks, ending }: Report): FailureKind {
  const { failure, failedChecks } =
    ending.kind === 'timed-out' ? ending : { failure: undefined, failedChecks: 0 }
  const lastFailure = failure && messageOf(failure)
  return { kind: 'timed-out', timeout: waiting.timeout, checks, failedChecks, lastFailure }
}

/** The next step counts on the result of a run that succeeded. */
function lostResult(published: Report['published']): FailureKind | undefined {
  const result = published?.files.result
  return result?.kind === 'unavailable'
    ? { kind: 'result-not-fetched', why: result.why }
    : undefined
}

function lostCopy(published: Report['published']): FailureKind | undefined {
  const copy = published?.files.lostCopies[0]
  return copy && { kind: 'copy-not-written', ...copy }
}

function lostOutputs({ unwritten }: Report): FailureKind | undefined {
  return unwritten && { kind: 'outputs-not-written', why: unwritten.why }
}

function unwatchable(ending: Ending): FailureKind {
  if (ending.kind === 'refused') {
    const { status, words } = ending.failure
    return { kind: 'credentials-refused', status, words }
  }
  if (ending.kind === 'rejected') {
    const { status, words } = ending.failure
    return { kind: 'checks-refused', status, words }
  }
  return { kind: 'not-found', words: ending.kind === 'not-found' ? ending.failure.words : '' }
}
