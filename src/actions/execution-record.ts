/** The `execution.json` of the artifact, and the output `status`. */
import type { Conclusion } from '../execution/conclusion.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import type { WorkflowRun } from '../github/workflow-run.ts'
import { version } from '../version.ts'

/** What one execution is about, as far as this step knows. */
export interface Run {
  executionId: string
  /** Absent where another step started it. */
  project?: string
  automation?: string
  webhookGiven?: boolean
  /** Milliseconds since the epoch: the start, or the first look at it. */
  startedAt: number
}

export interface RunRecord {
  run: Run
  conclusion: Conclusion
  status: ExecutionStatus | undefined
  /** Milliseconds since the epoch, as this step saw it. */
  finishedAt: number
}

export function executionRecord(
  { run, conclusion, status, finishedAt }: RunRecord,
  workflowRun: WorkflowRun,
): string {
  const { executionId, project, automation, startedAt } = run
  const record = {
    execution_id: executionId,
    project,
    automation,
    conclusion,
    status: status && withoutLinks(status),
    started_at: new Date(startedAt).toISOString(),
    finished_at: new Date(finishedAt).toISOString(),
    workflow_run: workflowRun,
    action: `run-automation ${version}`,
  }
  return `${JSON.stringify(record, null, 2)}\n`
}

// A job may carry 1 MB of outputs; the documented fields take 200 bytes.
const longestStatus = 32 * 1024

/** The record as JSON; without what the service's document does not describe when that is much. */
export function statusOutput(status: ExecutionStatus | undefined): string {
  if (!status) return ''
  const whole = JSON.stringify(withoutLinks(status))
  if (whole.length <= longestStatus) return whole
  const { exec_uuid, finished, error, stopped, container_error } = status
  return JSON.stringify({ exec_uuid, finished, error, stopped, container_error })
}

/** Signed links are secrets, whatever key they come under. */
function withoutLinks(status: ExecutionStatus): unknown {
  const links: readonly string[] = ['result_url', 'logs_url']
  return JSON.parse(JSON.stringify(status), (key, value: unknown) =>
    links.includes(key) || isAddress(value) ? undefined : value,
  )
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^\s*https?:/i.test(value)
}
