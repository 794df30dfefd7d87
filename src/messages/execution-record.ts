/** The `execution.json` of the artifact, and the output `status`. */
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { causeWords } from './retries.ts'
import { partsOfLink, type Show } from './text/secrets.ts'
import { showJson, showTexts } from './text/shown-texts.ts'
import { version } from '../version.ts'

/** The run of the workflow that a step belongs to, as the runner's variables tell. */
export interface WorkflowRun {
  repository: string
  workflow: string
  job: string
  run_id: string
  run_attempt: string
  event: string
  ref: string
  sha: string
  /** The page of this attempt; undefined outside a workflow. */
  url: string | undefined
}

export function executionRecord(
  report: ExecutionReport,
  workflowRun: WorkflowRun,
  show: Show,
): string {
  const { executionId, project, automation, conclusion, startedOn, finishedOn, attempts } = report
  const { status } = report.ending
  const own = {
    execution_id: executionId,
    project,
    automation,
    conclusion,
    status: undefined,
    started_at: startedOn.toISOString(),
    finished_at: finishedOn.toISOString(),
    attempts: attempts.map((attempt) => ({
      execution_id: attempt.executionId,
      conclusion: attempt.conclusion,
      cause: causeWords(attempt.cause, show) || null,
      started_at: attempt.startedOn.toISOString(),
      finished_at: attempt.finishedOn.toISOString(),
    })),
    workflow_run: workflowRun,
    action: `run-automation ${version}`,
  }
  const record = { ...showTexts(own, show), status: status && showJson(withoutLinks(status), show) }
  return `${JSON.stringify(record, null, 2)}\n`
}

// A job may carry 1 MB of outputs; the documented fields take 200 bytes.
const longestStatus = 32 * 1024

/**
 * The record as JSON; of one that is long, only the fields that are known (docs/service.md,
 * "Execution status record").
 */
export function statusOutput(status: ExecutionStatus | undefined): string {
  if (!status) return ''
  const whole = JSON.stringify(withoutLinks(status))
  return whole.length <= longestStatus ? whole : JSON.stringify(flagsOf(status))
}

function flagsOf({ exec_uuid, finished, error, stopped, container_error }: ExecutionStatus) {
  return { exec_uuid, finished, error, stopped, container_error }
}

/**
 * The record without signed links, which let anyone in, wherever they stand: they are left out
 * under their documented names, and replaced elsewhere, keys included. Of a record
 * too deep to be read by anyone, the documented flags.
 */
function withoutLinks(status: ExecutionStatus): unknown {
  const { result_url, logs_url } = status
  const known = [result_url, logs_url]
    .filter((link) => typeof link === 'string')
    .flatMap(partsOfLink)
  const hide = (text: string) =>
    known.reduce((rest, part) => rest.replaceAll(part, '***'), text.replace(address, '***'))
  const shown = hideIn(status, hide, 0)
  return shown === tooDeep ? flagsOf(status) : shown
}

const linkNames: readonly string[] = ['result_url', 'logs_url']
// An address within a text, or one encoded as a part of another; schemes have a bounded length, so
// that a long word is read once.
const address = /\b(?:[a-z][a-z0-9+.-]{0,20}:\/\/|https?(?::|%3a))[^\s"'<>]*/gi

const tooDeep = Symbol('too deep')
const deepest = 50

function hideIn(value: unknown, hide: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return hide(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return tooDeep
  if (Array.isArray(value)) {
    const shown = value.map((item) => hideIn(item, hide, depth + 1))
    return shown.includes(tooDeep) ? tooDeep : shown
  }
  const shown = Object.entries(value)
    .filter(([key]) => !linkNames.includes(key))
    .map(([key, member]) => [hide(key), hideIn(member, hide, depth + 1)] as const)
  if (shown.some(([, member]) => member === tooDeep)) return tooDeep
  return Object.fromEntries(shown)
}
