/** Composes title, reason and advice for a step that fails. */
import { retriableOutcomes, type Outcome } from '../execution/conclusion.ts'
import type { Collected, End } from '../execution/report.ts'
import { graceOf, isFlagged, longGrace } from '../execution/seen.ts'
import { messageOf } from '../errors.ts'
import {
  adviseOn,
  afterUnclearAnswer,
  cancelledBefore,
  capitalised,
  checkCredentials,
  fetchLater,
  refusedCredentials,
  takeUp,
} from './advice.ts'
import type { RunTitle } from './catalogue.ts'
import { cancelledInFlight, notValidated, whyFailed } from './cause.ts'
import { describeCount, describeElapsed } from './quantities.ts'
import { AnswerError, HttpError, type ServiceError } from '../service/service-errors.ts'
import { unpunctuated } from './text/untrusted-text.ts'

/** Why a step fails. With `fail-on`, the step may pass anyway. */
export interface Failure {
  title: RunTitle
  /** What happened. The most informative line comes first. */
  why: readonly string[]
  /** The advice. */
  next: string
}

/** The end of a run that was not started, or whose end was not seen. Does not include timeouts. */
export type OpenEnd = Exclude<End, { kind: 'collected' | 'timed-out' }>

/** Facts about the end of a step that waits for a run. The report of the run does not have them. */
export interface EndFacts {
  /** The automation. Undefined if the step knows only an execution id. */
  automation: string | undefined
  /** True if a re-run certainly continues with the execution, and starts no second execution. */
  rerunTakesOver: boolean
  /** The input `timeout`, in milliseconds. */
  timeout: number
  /** The inputs `retries` and `retry-on`. */
  retrying: { retries: number; retryOn: ReadonlySet<string> }
  /** Where people find the result, for example `in the artifact`. */
  resultPlace: string
}

/** Returns the failure of a run, or undefined if the run succeeded. */
export function failureOfEnd(end: End, facts: EndFacts): Failure | undefined {
  if (end.kind === 'timed-out') return describeTimeout(end, facts)
  return end.kind === 'collected' ? describeCollected(end, facts) : failureOfOpenEnd(end, facts)
}

function describeCollected(end: Collected, facts: EndFacts): Failure | undefined {
  const { executionId, outcome, validation } = end
  if (validation.kind === 'interrupted') return describeCancellation(end, facts.rerunTakesOver)
  if (validation.kind === 'not-made') {
    return {
      title: 'not-validated',
      why: [`${capitalised(notValidated(validation.why))}.`],
      next: `Simplify the schema and validate this result: ${fetchLater(executionId)}.`,
    }
  }
  if (validation.kind === 'invalid') {
    const { lines, count } = validation.problems
    const more = `The result has ${count} problems. The summary (output summary-file) has the first ${lines.length}.`
    return {
      title: 'invalid-result',
      why: count === 1 ? lines : [...lines.slice(0, 1), more],
      next: afterInvalidResult(end, facts),
    }
  }
  if (outcome === 'success') return undefined
  const advice = `${remedies[outcome]}, then ${startAgain(facts.automation)}.`
  const next = `${advice}${aboutRetries(outcome, facts)}`
  return { title: outcome, why: whyFailed(outcome, end.cause), next }
}

function afterInvalidResult(
  { files, executionId }: Collected,
  { automation, resultPlace }: EndFacts,
): string {
  if (files.result.kind !== 'file') {
    return `Set the automation to keep its result, then ${startAgain(automation)}.`
  }
  return `Look at the result ${resultPlace}, and fix the automation. If the schema was wrong, fix it and validate this result: ${fetchLater(executionId)}.`
}

const remedies = {
  error: 'Fix the automation',
  'container-error': 'Check for out-of-memory, a crash or a forced exit in the automation',
  stopped: 'Ask who stopped it',
}

/** Advises no re-run to a job that only waits. The re-run would find the same ended run. */
function startAgain(automation: string | undefined): string {
  return automation === undefined ? 'start a new run' : 're-run this job'
}

/** Says that the input `retries` could help, or why it did nothing. */
function aboutRetries(outcome: Outcome, { retrying }: EndFacts): string {
  const { retries, retryOn } = retrying
  if (retries === 0) return retryOn.has(outcome) ? ' Or set the input retries.' : ''
  const isRetriable = retriableOutcomes.some((each) => each === outcome)
  if (!isRetriable || retryOn.has(outcome)) return ''
  return ` There was no retry, because retry-on does not name ${outcome}.`
}

/** Returns the failure after a timeout. If the final check failed, the run may have ended. */
function describeTimeout(
  { executionId, seen }: Extract<End, { kind: 'timed-out' }>,
  { timeout, automation, rerunTakesOver }: EndFacts,
): Failure {
  const { checks, failedChecks, failure, status } = seen
  const failed = failedChecks > 0 ? ` (${failedChecks} failed)` : ''
  const watched =
    timeout === 0
      ? 'at the only check (timeout: 0s)'
      : `within ${describeElapsed(timeout)} (the input timeout), after ${describeCount(checks, 'check')}${failed}`
  const later = takeUp(executionId, rerunTakesOver)
  if (failure) {
    return {
      title: 'timed-out',
      why: [
        `The end of the run was not seen ${watched}. The last check failed${because(failure.message)}. ${unknownCourse}`,
      ],
      next: `${checkAfter(failure, status !== undefined, automation)}; then ${later}`,
    }
  }
  const shown = isFlagged(status) ? ', although the service shows a failure' : ''
  const why = [`The run had not finished ${watched}. It is still running${shown}.`]
  const next = capitalised(later)
  if (timeout === 0) return { title: 'not-finished-yet', why, next }
  return { title: 'timed-out', why, next: `${next} For later runs, increase timeout.` }
}

/** Returns the failure if the end of the run is not known, or if the run does not exist. */
export function failureOfOpenEnd(
  end: OpenEnd,
  { automation, rerunTakesOver }: Pick<EndFacts, 'automation' | 'rerunTakesOver'>,
): Failure {
  switch (end.kind) {
    case 'refused':
    case 'not-sent': {
      const isCancelled = end.kind === 'not-sent' && end.byCancel
      const { why, hint } = isCancelled ? cancelledBefore : adviseOn(end.failure, 'start')
      return {
        title: 'not-started',
        why: [`${why} Nothing was started.`],
        next: `${hint}${adviseOnNamed(end.failure)}`,
      }
    }
    case 'unclear':
      return describeUnclearStart(end)
    case 'cancelled':
      return describeCancellation(end, rerunTakesOver)
    case 'lost':
      return describeLostWatch(end, automation, rerunTakesOver)
  }
}

/** Says how to get an execution that a refusal names, for example one that is already running. */
function adviseOnNamed(failure: unknown): string {
  if (!(failure instanceof AnswerError) || failure.executionId === undefined) return ''
  return ` If that is the run you want, ${fetchLater(failure.executionId)}.`
}

/** Returns the failure if the service may or may not have accepted the start request. */
function describeUnclearStart({
  failure,
  byCancel,
}: Extract<OpenEnd, { kind: 'unclear' }>): Failure {
  const why = because(byCancel ? 'no answer had arrived yet' : messageOf(failure))
  const sent = byCancel ? capitalised(cancelledInFlight) : 'The start got no clear answer'
  return {
    title: 'unknown-start',
    why: [`${sent}${why}. A run may exist. The start was not sent again.`],
    next: afterUnclearAnswer(
      failure,
      "look for a new run in the service's dashboard or webhook receiver before you start another run.",
    ),
  }
}

/** Returns the failure of a step that was cancelled after the start of its run. */
export function describeCancellation(
  { kind, executionId }: { kind: End['kind']; executionId: string },
  rerunTakesOver: boolean,
): Failure {
  const hasEnded = kind === 'collected'
  const fetch = fetchLater(executionId)
  const later = hasEnded ? `${capitalised(fetch)}.` : `Later, ${fetch}.`
  return {
    title: 'cancelled',
    why: [
      hasEnded
        ? 'The run has finished, but the step was cancelled before it published everything.'
        : 'The step was cancelled before it saw the end of the run. As far as is known, the run is still running. This action cannot stop it.',
    ],
    next: rerunTakesOver
      ? `${later} Or, unless a newer workflow run replaced this one, re-run this job: it takes over this run.`
      : later,
  }
}

/** Returns the failure of a run that can no longer be watched. */
function describeLostWatch(
  { why, failure, executionId }: Extract<OpenEnd, { kind: 'lost' }>,
  automation: string | undefined,
  rerunTakesOver: boolean,
): Failure {
  switch (why) {
    case 'credentials':
      return {
        title: 'no-longer-watched',
        why: [`While the run was being watched, ${refusedCredentials(failure)}. ${unknownCourse}`],
        next: checkCredentials(executionId),
      }
    case 'rejected':
      return {
        title: 'no-longer-watched',
        why: [
          `For ${describeElapsed(longGrace)}, every check got the same refusal${because(failure.message)}. ${unknownCourse}`,
        ],
        next: `${checkAfter(failure, true, automation)}; then ${takeUp(executionId, rerunTakesOver)}`,
      }
    case 'not-found':
      return {
        title: 'not-found',
        why: [
          `The service does not know this execution${because(failure.words)}. It does not exist, or belongs to another account.`,
        ],
        next: `${checkOwner(automation)}.`,
      }
  }
}

const unknownCourse = 'The run may still be running.'

/** Says what to check. `wasSeen` is true if the service answered an earlier check properly. */
function checkAfter(
  failure: ServiceError,
  wasSeen: boolean,
  automation: string | undefined,
): string {
  const isMissing = failure instanceof HttpError && failure.status === 404
  const isByService = graceOf(failure) < Infinity && !failure.isWebPage
  return isByService && !(isMissing && wasSeen)
    ? checkOwner(automation)
    : 'Check status-base-url (or base-url), and whether the service or a firewall answers'
}

/** If this step started the run, the service sent the id, so the id is right. */
function checkOwner(automation: string | undefined): string {
  return automation === undefined
    ? 'Check the execution id, status-base-url, and the account of api-token and api-key'
    : 'Check status-base-url: it must be the service of base-url'
}

/** Returns untrusted words in parentheses, or '' if there are no words. */
export function because(words: string): string {
  const said = unpunctuated(words)
  return said === '' ? '' : ` (${said})`
}
