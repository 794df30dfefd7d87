/**
 * Defines the facts of one run: the members of `execution.json`. Most of what describes a run
 * of a batch is made from these facts. A fact that is not known is null.
 */
import type { ExecutionStatus } from '../service/contract.ts'
import type { Conclusion } from './conclusion.ts'

/** The texts of a row may be untrusted. The writer of a file or message redacts them. */
export interface Row {
  execution_id: string | null
  execution_url: string | null
  project: string | null
  automation: string | null
  conclusion: Conclusion
  /** The number of executions of the run. */
  execution_count: number
  duration_seconds: number | null
  /** Why the run did not succeed, or why its result is missing, in one line. Redacted and cut. */
  cause: string | null
  /** Paths relative to the folder of the artifact: that of the step, or of a batch's runs. */
  result_file: string | null
  log_file: string | null
  started_at: string | null
  finished_at: string | null
  executions: readonly ExecutionRow[]
  status: StatusRow | null
  /** The number of all problems of the result, and the first ones. */
  result_problems: { count: number; first: readonly string[] } | null
  workflow_run: Readonly<Record<string, string | undefined>>
  action: string
}

interface ExecutionRow extends Pick<Row, 'conclusion' | 'cause' | 'started_at' | 'finished_at'> {
  execution_id: string
}

/** The flags and the id. The links are left out, because anybody can open a signed link. */
export type StatusRow = Omit<ExecutionStatus, 'result_url' | 'logs_url'>

/** A run of a batch that this step did not follow to an end. */
export interface Unfollowed extends Pick<Row, 'conclusion'> {
  executionId: string | undefined
  cause: string | undefined
}
