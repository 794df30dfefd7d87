/** Composes title, reason and advice for a step that fails. */
import {
  isExplainedByLog,
  retriableOutcomes,
  type Conclusion,
  type Outcome,
} from '../execution/conclusion.ts'
import type { Collected, End } from '../execution/report.ts'
import type { Seen } from '../execution/seen.ts'
import { messageOf } from '../errors.ts'
import {
  adviseOn,
  afterUnclearAnswer,
  cancelledBefore,
  capitalised,
  checkCredentials,
  fetchLater,
  refusedCredentials,
  type Remedies,
  takeUp,
} from './advice.ts'
import type { RunTitle } from './catalogue.ts'
import { describeCount, describeElapsed } from './quantities.ts'
import { describeMoreProblems } from './describe-result-problems.ts'
import { AnswerError } from '../service/service-errors.ts'
import type { NotAccepted } from '../service/send-at-most-once.ts'
import { unpunctuated } from './text/untrusted-text.ts'
import { checkAfter, checkOwner, doubtOf, isNotFound } from './watch-advice.ts'

/** Why a step fails. With `fail-on`, the step may pass anyway. */
export interface Failure {
  title: RunTitle
  /** What happened, without the cause that is in the run's log. */
  happened: string
  /** A sentence that counts the problems of the result. Undefined if there are fewer than two. */
  more?: string | undefined
  /** The advice. */
  next: string
}

/** The end of a run that was not started, or whose end was not seen for another reason than time. */
export type OpenEnd = Exclude<End, { kind: 'collected' | 'timed-out' }>

/** Facts about any end. The report of the run does not contain these facts. */
interface OpenEndFacts extends Omit<Remedies, 'executionId'> {
  /** The automation. Undefined if the step knows only an execution id. */
  automation: string | undefined
}

/** Facts about the end of a step that waits for a run. */
export interface EndFacts extends OpenEndFacts {
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
  const { executionId, isInterrupted, outcome, status, files, validation } = end
  const { automation } = facts
  const remedies = { ...facts, executionId }
  if (isInterrupted) return describeCancellation(end, remedies)
  if (validation.kind === 'not-made') return describeNotValidated(validation.why, facts, remedies)
  if (validation.kind === 'invalid') {
    return {
      title: 'invalid-result',
      happened: validation.problems.lines[0] ?? 'The result is invalid. The reason is not known.',
      more: describeMoreProblems(validation.problems),
      next: afterInvalidResult(end, facts, remedies),
    }
  }
  if (outcome === 'success') return undefined
  const { happened, first } = failedRuns[outcome]
  const isOver = status.finished && outcome !== 'stopped'
  const isLogMissing = isOver && files.log.kind === 'not-kept'
  const next = `${first}, then ${startAgain(automation)}.${aboutRetries(outcome, facts)}`
  return { title: outcome, happened, next: isLogMissing ? `${next} ${keepLog}` : next }
}

/** Returns the failure of a run that ended well, and whose result was not validated. */
function describeNotValidated(
  why: string,
  { automation, rerunTakesOver }: EndFacts,
  remedies: Remedies,
): Failure {
  // A re-run of a job that only waits needs no record to validate the same result.
  const isValidatedAgain = rerunTakesOver || automation === undefined
  const again = isValidatedAgain ? ' Or re-run this job: it validates the same result again.' : ''
  return {
    title: 'not-validated',
    happened: capitalised(`${notValidatedWords(why)}.`),
    next: `Simplify the schema and validate this result: ${fetchLater(remedies)}.${again}`,
  }
}

export function notValidatedWords(why: string): string {
  return `the run ended well, but its result was not validated: ${why}`
}

function afterInvalidResult({ files }: Collected, facts: EndFacts, remedies: Remedies): string {
  const { automation, resultPlace } = facts
  if (files.result.kind !== 'file') {
    return `Set the automation to keep its result, then ${startAgain(automation)}.`
  }
  return `Look at the result ${resultPlace}, and fix the automation. If the schema was wrong, fix it and validate this result: ${fetchLater(remedies)}.${aboutRetries('invalid-result', facts)}`
}

/** Returns the failure if the end of the run is not known, or if the run does not exist. */
export function failureOfOpenEnd(end: OpenEnd, facts: OpenEndFacts): Failure {
  const { automation } = facts
  switch (end.kind) {
    case 'refused':
    case 'not-sent': {
      const isCancelled = end.kind === 'not-sent' && end.byCancel
      const advice = isCancelled ? cancelledBefore : adviseOn(end.failure, 'start')
      return {
        title: 'not-started',
        happened: `${advice.why} Nothing was started.`,
        next: `${advice.hint}${adviseOnNamed(end.failure)}`,
      }
    }
    case 'unclear':
      return describeUnclearStart(end)
    case 'cancelled':
      return describeCancellation(end, { ...facts, executionId: end.executionId })
    case 'lost':
      return describeLostWatch(end, automation, { ...facts, executionId: end.executionId })
  }
}

/** Returns the failure of a run that can no longer be watched. */
function describeLostWatch(
  { why, failure }: Extract<OpenEnd, { kind: 'lost' }>,
  automation: string | undefined,
  remedies: Remedies,
): Failure {
  switch (why) {
    case 'credentials':
      return {
        title: 'no-longer-watched',
        happened: `While the run was being watched, ${refusedCredentials(failure)}. ${unknownCourse}`,
        next: checkCredentials(remedies),
      }
    case 'rejected':
      return {
        title: 'no-longer-watched',
        happened: `For 5 minutes, every check got the same refusal${because(failure.message)}. ${unknownCourse}`,
        next: `${checkAfter(failure, true, automation)}, then ${takeUp(remedies)}`,
      }
    case 'not-found':
      return {
        title: 'not-found',
        happened: `The service does not know this execution${because(failure.words)}. ${doubtOf(automation, remedies) ?? 'It does not exist, or belongs to another account.'}`,
        next: `${checkOwner(automation)}.`,
      }
  }
}

const failedRuns = {
  error: {
    happened: 'The automation raised an error.',
    first: 'Fix the automation',
  },
  'container-error': {
    happened: 'The container died before the automation answered.',
    first: 'Check for out-of-memory, a crash or a forced exit in the automation',
  },
  stopped: {
    happened: 'Someone stopped the run from the dashboard.',
    first: 'Ask who stopped it',
  },
}

/** Says how a run ended whose log says why. Returns undefined for all other ends. */
export function happenedIn(conclusion: Conclusion): string | undefined {
  return isExplainedByLog(conclusion) ? failedRuns[conclusion].happened : undefined
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

const keepLog = 'To see why, let the automation keep its log.'

/** Returns the failure after a timeout. If the final check failed, the run may have ended. */
function describeTimeout(
  { executionId, seen }: { executionId: string; seen: Seen },
  { timeout, automation, ...facts }: EndFacts,
): Failure {
  const { checks, failedChecks, failure, status } = seen
  const remedies = { ...facts, executionId }
  const failed = failedChecks > 0 ? ` (${failedChecks} failed)` : ''
  const watched =
    timeout === 0
      ? 'at the only check (timeout: 0s)'
      : `within ${describeElapsed(timeout)} (the input timeout), after ${describeCount(checks, 'check')}${failed}`
  if (failure) {
    const wasSeen = status !== undefined
    const doubt = isNotFound(failure) && !wasSeen ? doubtOf(automation, remedies) : undefined
    return {
      title: 'timed-out',
      happened: `The end of the run was not seen ${watched}. The last check failed${because(failure.message)}. ${doubt ?? unknownCourse}`,
      next: `${checkAfter(failure, wasSeen, automation)}; then ${takeUp(remedies)}`,
    }
  }
  const happened = `The run had not finished ${watched}. It is still running.`
  const next = capitalised(takeUp(remedies))
  if (timeout === 0) return { title: 'not-over-yet', happened, next }
  return { title: 'timed-out', happened, next: `${next} For later runs, increase timeout.` }
}

/** Returns the failure of a step that was cancelled after the start of its run. */
export function describeCancellation(
  { kind }: Pick<Extract<End, { executionId: string }>, 'kind'>,
  remedies: Remedies,
): Failure {
  const isOver = kind === 'collected'
  const later = `${isOver ? capitalised(fetchLater(remedies)) : `Later, ${fetchLater(remedies)}`}.`
  return {
    title: 'cancelled',
    happened: isOver
      ? 'The run has finished, but the step was cancelled before it published everything.'
      : 'The step was cancelled before it saw the end of the run. As far as is known, the run is still running. This action cannot stop it.',
    next: remedies.rerunTakesOver
      ? `${later} Or, unless a newer workflow run replaced this one, re-run this job: it takes over this run.`
      : later,
  }
}

/** Why a cancelled step does not know whether the service accepted the start request. */
export const cancelledInFlight =
  'the step was cancelled while it waited for the answer to its start'

/** Returns the failure if the service may or may not have accepted the start request. */
function describeUnclearStart({
  failure,
  byCancel,
}: Extract<NotAccepted, { kind: 'unclear' }>): Failure {
  const why = because(byCancel ? 'no answer had arrived yet' : messageOf(failure))
  const named = namedBy(failure)
  const look = named === undefined ? 'a new run' : `execution ${named} or a new run`
  const sent = byCancel ? capitalised(cancelledInFlight) : 'The start got no clear answer'
  return {
    title: 'unknown-start',
    happened: `${sent}${why}. A run may exist. The start was not sent again.`,
    next: afterUnclearAnswer(
      failure,
      `look for ${look} in the service's dashboard or webhook receiver before you start another run.`,
    ),
  }
}

/** Returns the execution that an answer names without accepting the start. */
function namedBy(failure: unknown): string | undefined {
  return failure instanceof AnswerError ? failure.executionId : undefined
}

/** Says how to get an execution that a refusal names, for example one that is already running. */
function adviseOnNamed(failure: unknown): string {
  const executionId = namedBy(failure)
  if (executionId === undefined) return ''
  return ` If that is the run you want, ${fetchLater({ executionId })}.`
}

const unknownCourse = 'The run may still be running.'

/** Returns untrusted words in parentheses, or '' if there are no words. */
export function because(words: string): string {
  const said = unpunctuated(words)
  return said === '' ? '' : ` (${said})`
}
