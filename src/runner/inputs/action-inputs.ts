/** The inputs of each action, as the action uses them. All durations are in milliseconds. */
import type { BatchPlan, BatchSeed } from '../../execution/batch/batch-types.ts'
import type { FailOnConclusion } from '../../execution/conclusion.ts'
import type { Retrying } from '../../execution/follow-run.ts'
import type { Credentials, ServiceAddress, StartRequest } from '../../service/client.ts'
import type { ResultSchema } from '../result-schema/compiled-schema.ts'

/** The inputs of each action that starts runs or waits for them. */
export interface CommonInputs {
  connection: Connection
  /** The input `dashboard-url`. */
  dashboard: string | undefined
  jobId: string | undefined
}

/** The inputs of each action that waits for runs. */
export interface WaitingInputs {
  waiting: Waiting
  resultSchema: ResultSchema | undefined
  publishing: Publishing
}

export interface RunInputs extends CommonInputs, WaitingInputs {
  request: StartRequest
  retrying: Retrying
  rerun: Rerun
}

export interface StartInputs extends CommonInputs, StatusInputs {
  request: StartRequest
  rerun: Rerun
}

export interface WaitInputs extends CommonInputs, WaitingInputs, StatusInputs {
  executionId: string
}

/** The inputs that a commit status needs. */
export interface StatusInputs extends Pick<CommonInputs, 'jobId'> {
  commitStatus: StatusSettings
}

export interface BatchInputs extends CommonInputs, WaitingInputs {
  target: Pick<StartRequest, 'project' | 'automation'>
  list: readonly BatchSeed[]
  delivery: Delivery
  pool: Pick<BatchPlan, 'maxParallel' | 'failFast'>
  retrying: Retrying
  rerun: Rerun
}

export interface CreateProjectInputs {
  connection: Connection
  project: { region: string; dockerVersion: string; name: string }
  ifExists: 'fail' | 'skip'
}

export type Connection = ServiceAddress & Credentials

/** The webhook to which the service sends the result. */
export type Delivery = Pick<StartRequest, 'webhook' | 'webhookHeaders'>

export interface Waiting {
  pollInterval: number
  timeout: number
  /** The conclusions that fail the step. */
  failOn: ReadonlySet<FailOnConclusion>
}

export interface Publishing {
  uploadArtifact: boolean
  artifactName: string | undefined
  /** In days. */
  retentionDays: number | undefined
  printResult: boolean
  printLog: 'on-failure' | 'always' | 'never'
  summary: boolean
}

export interface Rerun {
  onRerun: 'resume' | 'reuse' | 'start'
  rerunKey: string | undefined
  /** The values of the job's matrix as JSON. */
  matrix: string | undefined
}

export interface StatusSettings {
  /** The context of the commit status. Undefined if no status is wanted. */
  context: string | undefined
  commitSha: string | undefined
  githubToken: string | undefined
}
