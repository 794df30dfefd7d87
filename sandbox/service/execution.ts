import type { Flags, ScriptedStatus } from './status-record.ts'

/** One run. Moments are milliseconds since the epoch. */
export interface Execution {
  readonly id: string
  readonly project: string
  readonly automation: string
  /** The seed's text, character for character as the service received it. */
  readonly seedText: string | undefined
  /** Where `result` and `run.log` are. */
  readonly folder: string
  readonly startedAt: number
  finishedAt: number | undefined
  flags: Flags
  resultType: string
  /** One entry per status call; the last one stays. */
  script: ScriptedStatus[]
  /** Aborted where the run is stopped. */
  readonly stopping: AbortController
  /** Resolves when the run is over and its webhook was called. */
  over: Promise<void>
}
