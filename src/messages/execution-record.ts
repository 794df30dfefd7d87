/** The `execution.json` of the artifact, and the output `status`. */
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { ResultProblems } from '../execution/result-problems.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { causeWords } from './retries.ts'
import { partsOfLink, type Show } from './text/secrets.ts'
import { showJson } from './text/shown-texts.ts'
import { version } from '../version.ts'

/** `workflowRun`: the run of the workflow that the step belongs to. */
export function executionRecord(
  report: ExecutionReport,
  workflowRun: Readonly<Record<string, string | undefined>>,
  show: Show,
): string {
  const { executionId, project, automation, conclusion, resultProblems } = report
  const { status } = report.ending
  const record = {
    execution_id: executionId,
    project,
    automation,
    conclusion,
    status: status && withoutLinks(status),
    result_problems: resultProblems && problemFacts(resultProblems),
    ...factsOf(report, show),
    workflow_run: workflowRun,
    action: `run-automation ${version}`,
  }
  return `${JSON.stringify(showJson(record, show), null, 2)}\n`
}

// In a batch of 10,000 runs, and in memory until its end.
const maxProblemsOfMany = 4 * 1024

/** The same of a run of a batch, as members of a JSON object: what its line of results.jsonl lacks. */
export function executionMembers(report: ExecutionReport, show: Show): string {
  const { resultProblems } = report
  const { status } = report.ending
  const members = {
    ...factsOf(report, show),
    result_problems: resultProblems && problemFacts(resultProblems, maxProblemsOfMany),
    status: status ? boundedStatus(status) : null,
  }
  return JSON.stringify(showJson(members, show)).slice(1, -1)
}

/** Of the first problems as many as are together no longer than `limit`. */
function problemFacts({ count, lines }: ResultProblems, limit = Infinity) {
  let rest = limit
  return { count, first: lines.filter(({ length }) => (rest -= length) >= 0) }
}

function factsOf({ startedOn, finishedOn, attempts }: ExecutionReport, show: Show) {
  return {
    started_at: startedOn.toISOString(),
    finished_at: finishedOn.toISOString(),
    executions: attempts.map((attempt) => ({
      execution_id: attempt.executionId,
      conclusion: attempt.conclusion,
      cause: causeWords(attempt.cause, show) || null,
      started_at: attempt.startedOn.toISOString(),
      finished_at: attempt.finishedOn.toISOString(),
    })),
  }
}

// A job may carry 1 MB of outputs, and a batch has 10,000 runs; the documented fields take 200 bytes.
const maxStatus = 4 * 1024

/** The record as JSON. */
export function statusOutput(status: ExecutionStatus | undefined): string {
  return status ? JSON.stringify(boundedStatus(status)) : ''
}

/** Of a record that is long, only the fields that are known (docs/service.md, "Execution status record"). */
function boundedStatus(status: ExecutionStatus): unknown {
  const whole = withoutLinks(status)
  if (JSON.stringify(whole).length <= maxStatus) return whole
  const { exec_uuid, finished, error, stopped, container_error } = status
  return { exec_uuid, finished, error, stopped, container_error }
}

/**
 * The record without signed links, which let anyone in, wherever they stand: the known ones are left
 * out, and all addresses replaced elsewhere, keys included.
 */
function withoutLinks({ result_url, logs_url, ...rest }: ExecutionStatus): unknown {
  const known = [result_url, logs_url]
    .filter((link) => typeof link === 'string')
    .flatMap(partsOfLink)
  const hide = (text: string) =>
    known.reduce((rest, part) => rest.replaceAll(part, '***'), text.replace(address, '***'))
  return showJson(rest, hide)
}

// An address within a text, or one encoded as a part of another; schemes have a bounded length, so
// that a long word is read once.
const address = /\b(?:[a-z][a-z0-9+.-]{0,20}:\/\/|https?(?::|%3a))[^\s"'<>]*/gi
