/**
 * Makes the facts of a run, and writes them as JSON: `execution.json`, a line of `results.jsonl`,
 * and the outputs `results` and `status`.
 */
import path from 'node:path'
import type { DownloadedFile } from '../download/download.ts'
import {
  conclusionOf,
  executionIdOf,
  problemsIn,
  statusOf,
  type RunReport,
} from '../execution/report.ts'
import type { Row, StatusRow, Unfollowed } from '../execution/row.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { version } from '../version.ts'
import { causeWords, describeCause } from './cause.ts'
import type { ExecutionUrlOf } from './execution-url.ts'
import type { Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

/** The maximum length of a cause, in UTF-16 units. */
const maxCauseInRow = 1_000

/** The facts that all runs of a step share. */
export interface StepFacts {
  project: string | undefined
  automation: string | undefined
  workflowRun: Row['workflow_run']
  executionUrlOf: ExecutionUrlOf
  /** Paths in a row are relative to this folder. */
  folder: string
  /** Redacts the cause, which is then cut: a batch keeps the rows of up to 10,000 runs in memory. */
  show: Show
}

/** Returns the facts of a run, with problems of its result of at most `maxProblemsLength` characters. */
export function rowOf(
  run: RunReport | Unfollowed,
  step: StepFacts,
  maxProblemsLength = Infinity,
): Row {
  if (!('end' in run)) return emptyRow(run, step)
  const { end, executions, duration, startedOn, finishedOn } = run
  const executionId = executionIdOf(end)
  const known = { executionId, conclusion: conclusionOf(end), cause: describeCause(end) }
  const files = end.kind === 'collected' ? end.files : undefined
  const problems = problemsIn(end)
  const status = statusOf(end)
  let rest = maxProblemsLength
  return {
    ...emptyRow(known, step),
    execution_count: executions.length,
    duration_seconds: Math.round(duration / 1000),
    result_file: pathOf(files?.result, step),
    log_file: pathOf(files?.log, step),
    started_at: startedOn.toISOString(),
    finished_at: finishedOn.toISOString(),
    executions: executions.map((execution) => ({
      execution_id: execution.executionId,
      conclusion: execution.conclusion,
      cause: causeWords(execution.cause) || null,
      started_at: execution.startedOn.toISOString(),
      finished_at: execution.finishedOn.toISOString(),
    })),
    status: status ? statusRow(status) : null,
    result_problems: problems
      ? {
          count: problems.count,
          first: problems.lines.filter(({ length }) => (rest -= length) >= 0),
        }
      : null,
  }
}

/** Returns a row with these facts alone. A row always has the same members. */
function emptyRow({ executionId, conclusion, cause }: Unfollowed, step: StepFacts): Row {
  return {
    execution_id: executionId ?? null,
    execution_url: step.executionUrlOf(executionId) ?? null,
    project: step.project ?? null,
    automation: step.automation ?? null,
    conclusion,
    execution_count: executionId === undefined ? 0 : 1,
    duration_seconds: null,
    cause: cause === undefined ? null : inline(step.show(cause), maxCauseInRow),
    result_file: null,
    log_file: null,
    started_at: null,
    finished_at: null,
    executions: [],
    status: null,
    result_problems: null,
    workflow_run: step.workflowRun,
    action: `run-automation ${version}`,
  }
}

/** Returns a relative path, with `/` on each platform. */
function pathOf(file: DownloadedFile | undefined, { folder }: StepFacts): string | null {
  if (file?.kind !== 'file') return null
  return path.relative(folder, file.path).split(path.sep).join('/')
}

/** Picks the members one by one, because anybody can open a signed link of a status record. */
function statusRow(status: ExecutionStatus): StatusRow {
  const { finished, error, stopped, container_error, exec_uuid = null } = status
  return { finished, error, stopped, container_error, exec_uuid }
}

export function statusOutput(status: ExecutionStatus | undefined, show: Show): string {
  return status ? printFacts(statusRow(status), show) : ''
}

/** The members that are not redacted, because this action has chosen their texts. */
const ownTexts = ['conclusion', 'result_file', 'log_file', 'started_at', 'finished_at', 'action']

/** Returns facts as JSON. Redacts each text. */
export function printFacts(facts: object, show: Show, indentation?: number): string {
  const print = (key: string, value: unknown) =>
    typeof value !== 'string' || ownTexts.includes(key) ? value : show(value)
  return JSON.stringify(facts, print, indentation)
}
