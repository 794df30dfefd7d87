/** Composes the file `execution.json` of the artifact and the output `status`. */
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { ResultProblems } from '../execution/result-problems.ts'
import { executionStatusSchema, type ExecutionStatus } from '../service/contract.ts'
import { causeWords } from './retries.ts'
import type { Show } from './text/secrets.ts'
import { showJson } from './text/shown-texts.ts'
import { version } from '../version.ts'

interface RecordFacts {
  /** The link to the run in the service's dashboard. Undefined if there is no link. */
  executionUrl: string | undefined
  workflowRun: Readonly<Record<string, string | undefined>>
}

export function executionRecord(
  report: ExecutionReport,
  { executionUrl, workflowRun }: RecordFacts,
  show: Show,
): string {
  const { executionId, project, automation, conclusion, resultProblems } = report
  const { status } = report.ending
  const record = {
    execution_id: executionId,
    execution_url: executionUrl,
    project,
    automation,
    conclusion,
    status: status && withoutLinks(status),
    result_problems: resultProblems && problemFacts(resultProblems),
    ...timesAndExecutions(report, show),
    workflow_run: workflowRun,
    action: `run-automation ${version}`,
  }
  return `${JSON.stringify(showJson(record, show), null, 2)}\n`
}

// The maximum total length of the problems of one result. A batch keeps the problems of up to
// 10,000 runs in memory.
const maxProblemsOfMany = 4 * 1024

/** Returns facts about a run of a batch as members of a JSON object, for results.jsonl. */
export function executionMembers(report: ExecutionReport, show: Show): string {
  const { resultProblems } = report
  const { status } = report.ending
  const members = {
    ...timesAndExecutions(report, show),
    result_problems: resultProblems && problemFacts(resultProblems, maxProblemsOfMany),
    status: status ? boundedStatus(status) : null,
  }
  return JSON.stringify(showJson(members, show)).slice(1, -1)
}

/** Returns the first problems whose total length is at most `limit`. */
function problemFacts({ count, lines }: ResultProblems, limit = Infinity) {
  let rest = limit
  return { count, first: lines.filter(({ length }) => (rest -= length) >= 0) }
}

function timesAndExecutions({ startedOn, finishedOn, attempts }: ExecutionReport, show: Show) {
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

// The maximum length of a status record, in characters. A job can have at most 1 MB of outputs.
const maxStatus = 4 * 1024

export function statusOutput(status: ExecutionStatus | undefined): string {
  return status ? JSON.stringify(boundedStatus(status)) : ''
}

/** Returns the status record without addresses. A long record keeps only its documented fields. */
function boundedStatus(status: ExecutionStatus): unknown {
  const whole = withoutLinks(status)
  if (JSON.stringify(whole).length <= maxStatus) return whole
  const members = Object.entries(status).filter(([name]) => name in executionStatusSchema.shape)
  return withoutLinks(Object.fromEntries(members) as ExecutionStatus)
}

/** Returns the status record without addresses, because anybody can open a signed link. */
function withoutLinks({ result_url, logs_url, ...rest }: ExecutionStatus): unknown {
  const known = [result_url, logs_url]
    .filter((link) => typeof link === 'string')
    .flatMap((link) => {
      const query = URL.parse(link)?.search.slice(1) ?? ''
      // A shorter query is not a signature, and may occur in other texts by chance.
      return query.length >= 16 ? [link, query] : [link]
    })
  const hide = (text: string) =>
    known.reduce((rest, part) => rest.replaceAll(part, '***'), text.replace(address, '***'))
  return showJson(rest, hide)
}

// Matches an address, and also an encoded address within another address. The length of the scheme
// is limited, because the search in a long word would be slow otherwise.
const address = /\b(?:[a-z][a-z0-9+.-]{0,20}:\/\/|https?(?::|%3a))[^\s"'<>]*/gi
