import type { ExecutionReport } from '../../src/execution/execution-report.ts'
import { describeFailure, type FailurePlace } from '../../src/messages/failure-annotation.ts'
import { headingOf } from '../../src/messages/catalogue.ts'
import { describeSuccess } from '../../src/messages/progress.ts'
import type { Failure } from '../../src/messages/failure.ts'
import type { Show } from '../../src/messages/text/secrets.ts'
import { type SummaryParts, renderSummary } from '../../src/messages/summary/render.ts'
import { record } from './execution-status.ts'

/** A run that took 130 s and succeeded, but for what is given. */
export function reportOf(given: Partial<ExecutionReport> = {}): ExecutionReport {
  return {
    project: undefined,
    automation: 'daily_report',
    webhookGiven: undefined,
    executionId: '3fa85f64',
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

/** What a test gives of a summary: parts of the report, and what is known beside it. */
export type SummaryFacts = Partial<ExecutionReport & SummaryParts>

export function summaryOf(facts: SummaryFacts, show: Show = (text) => text): string {
  const report = reportOf(facts)
  const { automation: subject = '' } = report
  const title = facts.failure
    ? headingOf(facts.failure.title, { subject }).title
    : describeSuccess(report)
  return renderSummary(report, { title, ...facts }, show)
}

/** A run that raised an error, as a step that fails for it says. */
export const raisedError: Failure = {
  title: 'error',
  happened: 'The automation raised an error.',
  next: 'Fix the automation, then re-run this job.',
}

/** What a test gives of the summary of a run that succeeded, or failed so. */
export const succeeded: SummaryFacts = {
  conclusion: 'success',
  automation: 'daily_report',
  executionId: '3fa85f64',
}
export const failed: SummaryFacts = { ...succeeded, conclusion: 'error', failure: raisedError }

/** What a test gives of an annotation. */
export type FailureFacts = Partial<ExecutionReport> & FailurePlace & { failure: Failure }

/** The annotation of facts that are all fit to be shown. */
export function annotationOf({ failure, ...facts }: FailureFacts) {
  return describeFailure(failure, facts, facts, (text) => text)
}
