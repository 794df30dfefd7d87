import type { Flags, ScriptedStatus } from './status-record.ts'

/** One execution. Times are milliseconds since the epoch. */
export interface Execution {
  readonly id: string
  readonly project: string
  readonly automation: string
  /** The JSON text of the seed, exactly as the service received it. */
  readonly seedText: string | undefined
  /** The folder of `result` and `run.log`. */
  readonly folder: string
  readonly startedAt: number
  finishedAt: number | undefined
  flags: Flags
  resultType: string
  /** One entry for each status call. The last entry is used for all further calls. */
  script: ScriptedStatus[]
  /** Aborts when the run is stopped. */
  readonly stopping: AbortController
  /** Resolves when the run has finished and the webhook, if there is one, was called. */
  ended: Promise<void>
}
