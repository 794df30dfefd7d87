/** What a failure is called, why it happened and what to do: one line each. */
import { waitAction } from '../version.ts'
import { afterUnclearAnswer } from './advice.ts'
import { describeCount, describeElapsed } from './quantities.ts'
import { inline, maxWords } from './text/untrusted-text.ts'

/** How a run, or the watching of it, failed. Times in milliseconds. */
export type FailureKind =
  | { kind: 'error' }
  | { kind: 'container-error' }
  | { kind: 'stopped' }
  /** `problem`: the first one, as a line; `more`: how many there are, where there are more. */
  | { kind: 'invalid-result'; problem: string; more: string | undefined }
  | {
      kind: 'timed-out'
      timeout: number
      checks: number
      failedChecks: number
      /** Why the last check failed, where it did: then nobody knows whether the run goes on. */
      lastFailure?: string | undefined
      /** A web page answered the last check. */
      isWebPage?: boolean | undefined
    }
  /**
   * `ended`: the run was over, and only what it left was still being handed on; or, where
   * `retrying`, another one was about to be started. `unseen`: no check had brought its status.
   */
  | { kind: 'cancelled'; ended: boolean; retrying?: boolean; unseen?: boolean }
  /** The service did not take the start. `why` is a sentence, `hint` what to do about it. */
  | { kind: 'not-started'; why: string; hint: string }
  /**
   * The start was sent and nobody can say whether it was accepted. `isWebPage`: the answer was one,
   * so that the address is most likely wrong.
   */
  | { kind: 'unknown-start'; why: string; cancelled?: boolean; isWebPage?: boolean }
  /** 401 or 403 while watching; `words` are the service's own. */
  | { kind: 'credentials-refused'; status: number; words: string }
  /** The same final refusal of every check, for minutes; `words` are the service's own. */
  | { kind: 'checks-refused'; status: number; words: string }
  /** 404: no such execution, or another account's ("Check an execution"). */
  | { kind: 'not-found'; words: string }
  /** The run succeeded and its result was kept, but could not be fetched. */
  | { kind: 'result-not-fetched'; why: string }
  /** `input`: result-file or log-file. */
  | { kind: 'copy-not-written'; input: string; why: string }
  | { kind: 'outputs-not-written'; why: string }

/** The entry of the catalogue. */
export function nameOf(failure: FailureKind): FailureKind['kind'] | 'not-over-yet' {
  const isStillGoing = failure.kind === 'timed-out' && failure.lastFailure === undefined
  return isStillGoing && failure.timeout === 0 ? 'not-over-yet' : failure.kind
}

/** What happened, without the cause from the log. */
export function whatHappened(failure: FailureKind): string {
  switch (failure.kind) {
    case 'error':
      return 'The automation raised an error.'
    case 'container-error':
      return 'The container died before the automation answered.'
    case 'stopped':
      return 'Someone stopped the run from the dashboard.'
    case 'invalid-result':
      return failure.problem
    case 'timed-out':
      return timedOut(failure)
    case 'cancelled':
      if (failure.retrying) return 'The step was cancelled before it started the automation again.'
      if (failure.unseen) {
        return `The step was cancelled before the service had answered a check. ${unknownCourse}`
      }
      return failure.ended
        ? 'The step was cancelled while it fetched or published what the run had left.'
        : 'The step was cancelled while the automation was running. The run goes on: the service has no way to stop it from here.'
    case 'not-started':
      return `${failure.why} Nothing was started.`
    case 'unknown-start':
      return `${failure.cancelled ? 'The step was cancelled while the start was on its way' : 'The start was sent once and got no clear answer'}${because(failure.why)}. A run may exist; it was not sent again.`
    case 'credentials-refused':
      return `The service refused the credentials while the run was being watched: it answered ${failure.status}${because(failure.words)}. ${unknownCourse}`
    case 'checks-refused':
      return `For 5 minutes the service answered no check properly, but ${failure.status}${because(failure.words)}. ${unknownCourse}`
    case 'not-found':
      return `The service knows no such execution${because(failure.words)}: it does not exist, or belongs to another account.`
    case 'result-not-fetched':
      return `The run succeeded and its result was kept, but it could not be downloaded${because(failure.why)}.`
    case 'copy-not-written':
      return `The copy for ${failure.input} could not be written${because(failure.why)}.`
    case 'outputs-not-written':
      return `The next steps get no outputs of this one${because(failure.why)}.`
  }
}

/** What the hint names, and what it depends on. */
export interface HintFacts {
  executionId?: string | undefined
  /** A re-run of the job takes this execution over, and starts nothing: for certain. */
  isTakenOver?: boolean | undefined
}

/** What to do next. Never cut. */
export function hintFor(
  failure: FailureKind,
  { executionId, isTakenOver = false }: HintFacts,
): string {
  const fetchLater = `fetch it with ${waitAction} and ${
    executionId === undefined ? 'its execution id' : `execution-id ${inline(executionId, 200)}`
  }`
  const elsewhere = `${waitAction} with execution-id ${inline(executionId ?? '', 200)}`
  const rerun = `re-run this job: it takes this run over and starts nothing. Elsewhere: ${elsewhere}.`
  switch (failure.kind) {
    case 'error':
      return 'Fix the automation, then re-run this job.'
    case 'container-error':
      return 'Check for out-of-memory, a crash or a forced exit in the automation, then re-run this job.'
    case 'stopped':
      return 'Ask who stopped it, then re-run this job.'
    case 'invalid-result':
      return `Look at the result in the artifact, and fix the automation. Where the schema is wrong, fix it, push, and check this very result without a new run: ${fetchLater} (a re-run of this job has the old schema).`
    case 'timed-out':
      if (failure.lastFailure === undefined) {
        return isTakenOver ? capitalised(rerun) : `Increase the input timeout, or ${fetchLater}.`
      }
      return isTakenOver
        ? `Check whether the service is well, then ${rerun}`
        : `Check status-base-url (or base-url), and whether the service is well; then ${fetchLater}.`
    case 'cancelled':
      if (failure.ended) return `For all that the run left, ${fetchLater}.`
      return isTakenOver
        ? `When it is over, ${fetchLater}. Or re-run this job, unless a newer workflow run replaced this one: it takes this run over and starts nothing.`
        : `When it is over, ${fetchLater}.`
    case 'not-started':
      return failure.hint
    case 'unknown-start':
      return afterUnclearAnswer(failure.isWebPage === true, lookForRun)
    case 'credentials-refused':
      // A re-run with other credentials can't read what this attempt recorded.
      return `Check api-token, api-key and authorization-scheme, then ${fetchLater}.`
    case 'checks-refused':
      if (isTakenOver) return `Check status-base-url, then ${rerun}`
      return `Check status-base-url (or base-url) and the execution id, then ${fetchLater}.`
    case 'not-found':
      return 'Check the execution id, status-base-url, and that api-token and api-key belong to the account that started it.'
    case 'result-not-fetched':
      return isTakenOver ? capitalised(rerun) : `Do not start it again: ${fetchLater}.`
    case 'copy-not-written':
    case 'outputs-not-written':
      return isTakenOver
        ? `When the file can be written, ${rerun}`
        : `Do not start it again: when the file can be written, ${fetchLater}.`
  }
}

const lookForRun =
  "look for a new run in the service's dashboard, or at the receiver of the webhook, before you start it again."

/** Whether the end of the log is about the failure, and not about a run that goes on. */
export function isCauseInLog({ kind }: FailureKind): boolean {
  return kind === 'error' || kind === 'container-error'
}

const unknownCourse = 'Whether the run goes on is not known.'

/** No more than is known: a run that was not seen at the last check may be over, or gone. */
function timedOut(failure: Extract<FailureKind, { kind: 'timed-out' }>): string {
  const { timeout, checks, failedChecks, lastFailure } = failure
  const within = `within ${describeElapsed(timeout)} (the input timeout)`
  if (lastFailure !== undefined) {
    return timeout === 0
      ? `This step looked once (timeout: 0s), and the check failed${because(lastFailure)}. ${unknownCourse}`
      : `No end was seen ${within}: ${whichFailed(failure)}. ${unknownCourse}`
  }
  if (timeout === 0) {
    return `Not finished yet: this step looked once (timeout: 0s). The run goes on.`
  }
  const failed = failedChecks > 0 ? ` (${String(failedChecks)} of them failed)` : ''
  return `Not finished ${within}, after ${describeCount(checks, 'check')}${failed}. The run goes on.`
}

function whichFailed({
  checks,
  failedChecks,
  lastFailure = '',
  isWebPage,
}: Extract<FailureKind, { kind: 'timed-out' }>): string {
  if (failedChecks < checks) {
    return `${failedChecks} of ${describeCount(checks, 'check')} failed, the last one too${because(lastFailure)}`
  }
  const which = checks === 1 ? 'the only check failed' : `all ${checks} checks failed`
  if (!isWebPage) return `${which}${because(lastFailure)}`
  return `${which}${checks === 1 ? '' : ', at last'} because a web page answered`
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function because(words: string): string {
  const shown = inline(words, maxWords).replace(/[.:\s]+$/, '')
  return shown === '' ? '' : ` (${shown})`
}
