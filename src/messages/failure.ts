/** What people read of a step that fails: what it is called, why it happened and what to do. */
import type { Conclusion } from '../execution/conclusion.ts'
import type { Ending } from '../execution/ending.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { ServiceError } from '../service/errors.ts'
import { messageOf } from '../errors.ts'
import {
  adviseOn,
  afterInvalidResult,
  afterUnclearAnswer,
  cancelledBefore,
  capitalised,
  checkCredentials,
  fetchAgain,
  fetchLater,
  type Remedies,
  type ResultPlace,
  rerun,
} from './advice.ts'
import type { RunTitle } from './catalogue.ts'
import { describeCount, describeElapsed } from './quantities.ts'
import { describeMoreProblems, type ShownProblems } from './result-problems.ts'
import type { Secrets } from './text/secrets.ts'

/** Why a step fails, or would if `fail-on` did not let it pass. Its texts are fit to be shown. */
export interface Failure {
  title: RunTitle
  /** What happened, without the cause from the log. */
  happened: string
  /** How many problems a result has beside the first; undefined where there are none. */
  more?: string | undefined
  /** What to do next. Never cut. */
  next: string
}

/** What the words for an end are made from, beside the report. */
export interface EndFacts {
  /** The input, in milliseconds. */
  timeout: number
  /** Of a result that is not what its schema asks for. */
  problems: ShownProblems | undefined
  /** Where the result is; undefined where the automation keeps none. */
  resultPlace: ResultPlace | undefined
  /** Whether the problems are in the job summary. */
  hasSummary: boolean
  isTakenOver: boolean
  /** The runner ended the step. */
  isCancelled: boolean
  secrets: Secrets
}

type Report = Pick<ExecutionReport, 'executionId' | 'automation' | 'checks' | 'notRetried'> & {
  ending: Ending
  conclusion: Conclusion
}

/** Undefined where the run succeeded. */
export function describeEnd(report: Report, facts: EndFacts): Failure | undefined {
  const { ending, executionId } = report
  const remedies = { executionId, isTakenOver: facts.isTakenOver, secrets: facts.secrets }
  // The step may have been cancelled after the run had ended.
  if (report.conclusion === 'cancelled') return describeCancellation(report, remedies)
  switch (ending.kind) {
    case 'finished':
      return describeOutcome(ending, facts, remedies)
    case 'timed-out':
      return describeTimeout(ending, report, facts, remedies)
    case 'cancelled':
      return describeCancellation(report, remedies)
    case 'not-started':
    case 'unknown-start':
      return describeFailedStart(ending, facts)
    case 'refused':
      return describeRefusal(ending, remedies)
    case 'rejected':
      return describeRejection(ending, remedies)
    case 'not-found':
      return describeMissing(ending, remedies)
  }
}

function describeOutcome(
  { outcome }: Extract<Ending, { kind: 'finished' }>,
  { problems, resultPlace, hasSummary }: EndFacts,
  remedies: Remedies,
): Failure | undefined {
  if (outcome === 'success') return undefined
  if (outcome !== 'invalid-result') return { title: outcome, ...failedRuns[outcome] }
  return {
    title: outcome,
    happened: problems?.lines[0] ?? 'The result is invalid; it is not known why.',
    more: problems && describeMoreProblems(problems, hasSummary),
    next: afterInvalidResult(resultPlace, remedies),
  }
}

const failedRuns = {
  error: {
    happened: 'The automation raised an error.',
    next: 'Fix the automation, then re-run this job.',
  },
  'container-error': {
    happened: 'The container died before the automation answered.',
    next: 'Check for out-of-memory, a crash or a forced exit in the automation, then re-run this job.',
  },
  stopped: {
    happened: 'Someone stopped the run from the dashboard.',
    next: 'Ask who stopped it, then re-run this job.',
  },
}

/** No more than is known: a run that was not seen at the last check may be over, or gone. */
function describeTimeout(
  { failure, failedChecks }: Extract<Ending, { kind: 'timed-out' }>,
  { checks }: Pick<Report, 'checks'>,
  { timeout, secrets }: EndFacts,
  remedies: Remedies,
): Failure {
  const { isTakenOver } = remedies
  const within = `within ${describeElapsed(timeout)} (the input timeout)`
  if (failure) {
    const failed = describeFailedChecks(failure, { checks, failedChecks }, secrets)
    return {
      title: 'timed-out',
      happened:
        timeout === 0
          ? `This step looked once (timeout: 0s), and the check failed${because(failure.message, secrets)}. ${unknownCourse}`
          : `No end was seen ${within}: ${failed}. ${unknownCourse}`,
      next: isTakenOver
        ? `Check whether the service is well, then ${rerun(remedies)}`
        : `Check status-base-url (or base-url), and whether the service is well; then ${fetchLater(remedies)}.`,
    }
  }
  const next = isTakenOver
    ? capitalised(rerun(remedies))
    : `Increase the input timeout, or ${fetchLater(remedies)}.`
  if (timeout === 0) {
    const happened = 'Not finished yet: this step looked once (timeout: 0s). The run goes on.'
    return { title: 'not-over-yet', happened, next }
  }
  const failed = failedChecks > 0 ? ` (${failedChecks} of them failed)` : ''
  const happened = `Not finished ${within}, after ${describeCount(checks, 'check')}${failed}. The run goes on.`
  return { title: 'timed-out', happened, next }
}

function describeFailedChecks(
  failure: ServiceError,
  { checks, failedChecks }: { checks: number; failedChecks: number },
  secrets: Secrets,
): string {
  const why = because(failure.message, secrets)
  if (failedChecks < checks) {
    return `${failedChecks} of ${describeCount(checks, 'check')} failed, the last one too${why}`
  }
  const which = checks === 1 ? 'the only check failed' : `all ${checks} checks failed`
  if (!failure.isWebPage) return `${which}${why}`
  return `${which}${checks === 1 ? '' : ', at last'} because a web page answered`
}

/** A step that was cancelled after its start was taken. */
export function describeCancellation(
  { ending, notRetried, automation }: Partial<Report>,
  remedies: Remedies,
): Failure {
  // Of a run that this step started, that much is known without a check.
  const isStartedHere = automation !== undefined
  const isUnseen =
    ending?.kind === 'cancelled' &&
    !ending.status &&
    (ending.failure !== undefined || !isStartedHere)
  const isOver = ending?.kind === 'finished'
  return {
    title: 'cancelled',
    happened: whatWasCancelled({ isRetry: notRetried?.kind === 'cancelled', isUnseen, isOver }),
    next: whatIsLeft(isOver, remedies),
  }
}

function whatWasCancelled({ isRetry = false, isUnseen = false, isOver = false }): string {
  if (isRetry) return 'The step was cancelled before it started the automation again.'
  if (isUnseen) {
    return `The step was cancelled before the service had answered a check. ${unknownCourse}`
  }
  return isOver
    ? 'The step was cancelled while it fetched or published what the run had left.'
    : 'The step was cancelled while the automation was running. The run goes on: the service has no way to stop it from here.'
}

function whatIsLeft(isOver: boolean, remedies: Remedies): string {
  const later = `${isOver ? 'For all that the run left' : 'When it is over'}, ${fetchLater(remedies)}.`
  return remedies.isTakenOver
    ? `${later} Or re-run this job, unless a newer workflow run replaced this one: it takes this run over and starts nothing.`
    : later
}

/** A start that was not taken by the service, or of which nobody knows whether it was. */
export function describeFailedStart(
  { kind, failure }: { kind: 'not-started' | 'unknown-start'; failure: unknown },
  { isCancelled, secrets }: Pick<EndFacts, 'isCancelled' | 'secrets'>,
): Failure {
  if (kind === 'not-started') {
    const { why, hint } = isCancelled ? cancelledBefore : adviseOn(failure, 'start', { secrets })
    return { title: kind, happened: `${why} Nothing was started.`, next: hint }
  }
  const why = because(isCancelled ? 'no answer had come yet' : messageOf(failure), secrets)
  const sent = isCancelled
    ? 'The step was cancelled while the start was on its way'
    : 'The start was sent once and got no clear answer'
  const isWebPage = failure instanceof ServiceError && failure.isWebPage
  return {
    title: kind,
    happened: `${sent}${why}. A run may exist; it was not sent again.`,
    next: afterUnclearAnswer(
      isWebPage,
      "look for a new run in the service's dashboard, or at the receiver of the webhook, before you start it again.",
    ),
  }
}

/** 401 or 403 while the run was watched. */
export function describeRefusal(
  { failure: { status, words } }: Pick<Extract<Ending, { kind: 'refused' }>, 'failure'>,
  remedies: Remedies,
): Failure {
  return {
    title: 'credentials-refused',
    happened: `The service refused the credentials while the run was being watched: it answered ${status}${because(words, remedies.secrets)}. ${unknownCourse}`,
    next: checkCredentials(remedies),
  }
}

function describeRejection(
  { failure: { status, words } }: Extract<Ending, { kind: 'rejected' }>,
  remedies: Remedies,
): Failure {
  return {
    title: 'checks-refused',
    happened: `For 5 minutes the service answered no check properly, but ${status}${because(words, remedies.secrets)}. ${unknownCourse}`,
    next: remedies.isTakenOver
      ? `Check status-base-url, then ${rerun(remedies)}`
      : `Check status-base-url (or base-url) and the execution id, then ${fetchLater(remedies)}.`,
  }
}

function describeMissing(
  { failure: { words } }: Extract<Ending, { kind: 'not-found' }>,
  { secrets }: Remedies,
): Failure {
  return {
    title: 'not-found',
    happened: `The service knows no such execution${because(words, secrets)}: it does not exist, or belongs to another account.`,
    next: 'Check the execution id, status-base-url, and that api-token and api-key belong to the account that started it.',
  }
}

/** What a next step counts on and that could not be had or written, after a run that is over. */
export type Loss =
  /** `isRefused`: the service refused the credentials. */
  | { title: 'result-not-fetched'; why: string; isRefused?: boolean }
  /** `input`: result-file or log-file. */
  | { title: 'copy-not-written'; input: string; why: string }
  | { title: 'outputs-not-written'; why: string }

export function describeLoss(loss: Loss, remedies: Remedies): Failure {
  const why = because(loss.why, remedies.secrets)
  if (loss.title === 'result-not-fetched') {
    return {
      title: loss.title,
      happened: `The run succeeded and its result was kept, but it could not be downloaded${why}.`,
      next: loss.isRefused ? checkCredentials(remedies) : fetchAgain(remedies),
    }
  }
  return {
    title: loss.title,
    happened:
      loss.title === 'copy-not-written'
        ? `The copy for ${loss.input} could not be written${why}.`
        : `The next steps do not get all outputs of this one${why}.`,
    next: remedies.isTakenOver
      ? `When the file can be written, ${rerun(remedies)}`
      : `Do not start it again: when the file can be written, ${fetchLater(remedies)}.`,
  }
}

const unknownCourse = 'Whether the run goes on is not known.'

function because(words: string, secrets: Secrets): string {
  const said = secrets.words(words).replace(/[.:\s]+$/, '')
  return said === '' ? '' : ` (${said})`
}
