import type { ExecutionReport } from '../../src/execution/execution-report.ts'
import { describeFailure } from '../../src/messages/failure-annotation.ts'
import { headingOf } from '../../src/messages/catalogue.ts'
import { describeSuccess } from '../../src/messages/progress.ts'
import type { Failure } from '../../src/messages/failure.ts'
import { linksTo } from '../../src/messages/run-link.ts'
import type { Show } from '../../src/messages/text/secrets.ts'
import { type SummaryParts, renderSummary } from '../../src/messages/summary/render.ts'
import { record } from './execution-status.ts'

/** Returns the report of a run. By default, the run succeeded after 130 s. */
export function reportOf(given: Partial<ExecutionReport> = {}): ExecutionReport {
  return {
    project: undefined,
    automation: 'daily_report',
    webhookGiven: undefined,
    executionId: '3fa85f64',
    existedBefore: false,
    ending: { kind: 'finished', outcome: 'success', status: record({ finished: true }) },
    conclusion: 'success',
    startedOn: new Date('2026-11-20T10:00:00Z'),
    finishedOn: new Date('2026-11-20T10:02:10Z'),
    duration: 130_000,
    checks: 26,
    files: undefined,
    cause: undefined,
    attempts: [],
    ...given,
  }
}

/** Facts for a summary: parts of the report, and other parts of the summary. */
export type SummaryFacts = Partial<ExecutionReport & SummaryParts>

export function summaryOf(facts: SummaryFacts, show: Show = (text) => text): string {
  const report = reportOf(facts)
  const { automation: subject = '' } = report
  const title = facts.failure
    ? headingOf(facts.failure.title, { subject }).title
    : describeSuccess(report)
  const none = { failure: undefined, remainder: undefined, artifact: undefined }
  const texts = { log: undefined, result: undefined }
  const parts = { title, linkOf: linksTo(undefined), ...none, ...texts, ...facts }
  return renderSummary(report, parts, show)
}

/** The failure of a step whose run raised an error. */
export const raisedError: Failure = {
  title: 'error',
  happened: 'The automation raised an error.',
  next: 'Fix the automation, then re-run this job.',
}

/** Facts for the summary of a run that succeeded, and of one that failed. */
export const succeeded: SummaryFacts = {
  conclusion: 'success',
  automation: 'daily_report',
  executionId: '3fa85f64',
}
export const failed: SummaryFacts = { ...succeeded, conclusion: 'error', failure: raisedError }

/** Facts for an annotation. */
export type FailureFacts = Partial<ExecutionReport> & { failure: Failure; artifactUrl?: string }

/** Returns the annotation of these facts. Nothing is redacted. */
export function annotationOf({ failure, artifactUrl, ...facts }: FailureFacts) {
  return describeFailure(failure, facts, artifactUrl, (text) => text)
}
