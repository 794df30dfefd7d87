/** Builds ends and reports of runs, and the texts that are made from them. */
import { nothingSeen, type Seen } from '../../src/execution/seen.ts'
import type { Collected, End, Execution, RunReport } from '../../src/execution/report.ts'
import { failOnConclusions } from '../../src/execution/conclusion.ts'
import { noRetries } from '../../src/execution/follow-run.ts'
import { judge, type Circumstances } from '../../src/messages/judge.ts'
import { noticeOfFailure } from '../../src/messages/failure-notice.ts'
import { describeSuccess } from '../../src/messages/progress.ts'
import type { Failure } from '../../src/messages/failure.ts'
import type { Notice } from '../../src/messages/notice.ts'
import { executionUrls } from '../../src/messages/execution-url.ts'
import type { Show } from '../../src/messages/text/secrets.ts'
import { Page } from '../../src/messages/summary/html.ts'
import { type SummaryParts, renderSummary } from '../../src/messages/summary/render.ts'
import type { HttpError } from '../../src/service/service-errors.ts'
import { finished, running } from './execution-status.ts'

export const executionId = '3fa85f64'
export const target = { project: 'demo', automation: 'daily_report', webhookGiven: false }

/** Returns what 26 checks have shown. By default, no check got an answer or failed. */
export function seenOf(given: Partial<Seen> = {}): Seen {
  return { ...nothingSeen, checks: 26, ...given }
}

const notKept = { kind: 'not-kept' } as const
export const noFiles = { folder: undefined, result: notKept, log: notKept }

/** Returns the end of an execution that has finished. By default, it succeeded and kept no files. */
export function collected(given: Partial<Collected> = {}): Collected {
  const { status = finished } = given
  return {
    kind: 'collected',
    executionId,
    seen: seenOf({ status }),
    outcome: 'success',
    status,
    files: noFiles,
    cause: undefined,
    validation: { kind: 'passed' },
    ...given,
  }
}

export function invalid(...lines: string[]): Collected['validation'] {
  return { kind: 'invalid', problems: { lines, count: lines.length } }
}

/** Returns the end of a run that was running when the time ran out. */
export function timedOut(seen: Partial<Seen> = { status: running }): End {
  return { kind: 'timed-out', executionId, seen: seenOf(seen) }
}

/** Returns the end of a run that was running when the step was cancelled. */
export function cancelled(): End {
  return { kind: 'cancelled', executionId, seen: seenOf({ status: running }) }
}

/** Returns the end of a run that was last seen running and can no longer be watched. */
export function lost(why: Extract<End, { kind: 'lost' }>['why'], failure: HttpError): End {
  return { kind: 'lost', why, failure, executionId, seen: seenOf({ status: running, failure }) }
}

export function refused(failure: unknown): Extract<End, { kind: 'refused' }> {
  return { kind: 'refused', failure }
}

export function notSent(failure: unknown, byCancel = false): Extract<End, { kind: 'not-sent' }> {
  return { kind: 'not-sent', failure, byCancel }
}

export function unclear(failure: unknown, byCancel = false): Extract<End, { kind: 'unclear' }> {
  return { kind: 'unclear', failure, byCancel }
}

/** What decides about a step that only the end of its run can fail. */
export const circumstances: Circumstances = {
  failOn: new Set(failOnConclusions),
  timeout: 60_000,
  retrying: noRetries,
  outputsLost: undefined,
  cancelled: false,
  rerunTakesOver: false,
  artifactUrl: undefined,
}

/** Returns the report of a run that took 130 s. */
export function reportOf(end: End = collected(), given: Partial<RunReport> = {}): RunReport {
  return {
    target,
    end,
    executions: [],
    watched: 'all',
    startedOn: new Date('2026-11-20T10:00:00Z'),
    finishedOn: new Date('2026-11-20T10:02:10Z'),
    duration: 130_000,
    ...given,
  }
}

/** Returns one of the executions of a run. By default, it died after 90 s. */
export function executionOf(given: Partial<Execution> = {}): Execution {
  return {
    executionId: 'e-1',
    conclusion: 'container-error',
    cause: undefined,
    startedOn: new Date('2026-11-20T10:00:00Z'),
    finishedOn: new Date('2026-11-20T10:01:30Z'),
    ...given,
  }
}

/** The failure of a step whose run raised an error. */
export const raisedError: Failure = {
  title: 'error',
  why: ['The automation raised an error.'],
  next: 'Fix the automation, then re-run this job.',
}

/** Returns the summary of a run whose step passes, whatever its conclusion is. */
export function allowedSummaryOf(report: RunReport): string {
  const judged = judge(report, { ...circumstances, failOn: new Set() })
  const none = { artifact: undefined, log: undefined, result: undefined }
  const parts = { judged, executionUrlOf: executionUrls(undefined), ...none }
  return renderSummary(report, parts, new Page((text) => text))
}

/** Returns the summary of a run. With `failure`, the step failed. */
export function summaryOf(
  report: RunReport,
  { failure, ...parts }: Partial<Omit<SummaryParts, 'judged'>> & { failure?: Failure } = {},
  show: Show = (text) => text,
): string {
  const notice = failure && noticeOfFailure(failure, report, undefined)
  const title = notice?.title ?? describeSuccess(report)
  const judged = { fails: failure !== undefined, notice, title, lines: [] }
  const none = { artifact: undefined, log: undefined, result: undefined }
  const all = { judged, executionUrlOf: executionUrls(undefined), ...none, ...parts }
  return renderSummary(report, all, new Page(show))
}

/** Returns all lines of a notice. */
export function messageOf({ why, facts, advice }: Notice): string {
  return [...why, ...facts, ...advice].join('\n')
}
