/** Defines the types for a batch, which starts one run of an automation for each seed in a list. */
import type { StartAnswer } from '../../service/contract.ts'
import type { Recorded, RerunMode } from '../begin.ts'
import type { Category, Conclusion, Outcome } from '../conclusion.ts'
import type { Execution, RunReport, Target } from '../report.ts'
import type { RunSpec, SharedEnv } from '../run.ts'
import type { WatchEnv } from '../watch.ts'

/** The input of one run of a batch: a JSON object from the list of seeds. */
export interface BatchSeed {
  /** The position of the seed in the list, from 0. Messages count seeds from 1. */
  index: number
  /** The JSON text of the seed, as in the list. A start request sends this text unchanged. */
  text: string
  /** The name of the run, read from the seed. Untrusted text of at most 1,000 characters. */
  label: string | undefined
  /** The first 32 hexadecimal digits of the SHA-256 hash of the seed's text. */
  key: string
  /** The number of earlier seeds in the list that have the same text. */
  occurrence: number
}

export interface BatchPlan extends Pick<
  RunSpec,
  'pollInterval' | 'deadline' | 'retries' | 'retryOn'
> {
  seeds: readonly BatchSeed[]
  target: Target
  maxParallel: number
  /** True to start no more runs after the first run that fails the step. */
  failFast: boolean
  failsStep: (conclusion: Conclusion) => boolean
  /** Returns what an earlier attempt of the job recorded about the run of a seed. */
  recorded: (seed: BatchSeed) => Recorded
  mode: RerunMode
}

/** An earlier execution that this step replaces with a new execution. */
export interface EarlierEnd {
  executionId: string
  /** How the execution ended. Undefined if the service answered 404 for 30 s. */
  outcome: Outcome | undefined
}

export interface BatchEnv extends SharedEnv {
  check: WatchEnv['check']
  /** Sends one start. The second signal ends the request as long as no connection is made. */
  start: (
    seed: BatchSeed,
    signal: AbortSignal,
    whileConnecting: AbortSignal,
  ) => Promise<StartAnswer>
  /** The folder of the batch. Paths in run records are relative to this folder. */
  folder: string
  /** Creates the folder for the files of a run. Rejects with a message for users. */
  makeFolder: (seed: BatchSeed) => Promise<string>
  /** Makes a text of the service safe to show: one line, redacted and shortened. */
  showWords: (text: string) => string
  /** Returns the texts of a report. Until the batch ends, only these texts stay in memory. */
  describe: (report: RunReport) => Pick<RunRecord, 'cause' | 'advice' | 'followed'>
}

/** The reason why a batch stopped starting runs. */
export type StopCause = 'fail-fast' | 'credentials' | 'cancelled' | 'timed-out' | 'internal-error'

/** The facts about a finished run, with paths instead of file contents to save memory. */
export interface RunRecord {
  /** The position of the seed in the list, from 0. */
  index: number
  /** The name of the run, read from the seed. Untrusted text. */
  label: string | undefined
  executionId: string | undefined
  conclusion: Conclusion
  /** All executions of this run, oldest first. */
  attempts: readonly Pick<Execution, 'executionId' | 'conclusion'>[]
  /** True if an earlier attempt of the job started the execution. */
  resumed: boolean
  /** When the run started, in milliseconds since the batch began. Undefined if not known. */
  startedAt: number | undefined
  /** When the newest execution of the run ended (milliseconds since the batch began), if known. */
  endedAt: number | undefined
  /** Why the run did not succeed, or why its result is missing. The text is redacted. */
  cause: string | undefined
  /** What to do about the failure, redacted. Undefined if the step did not try to start the run. */
  advice?: string | undefined
  /** What the report of the run adds to its line in results.jsonl, redacted. */
  followed?: object | undefined
  /** The reason why the batch skipped this run. Undefined if the run was not skipped. */
  stopReason?: StopCause | undefined
  /** The path of the result file, relative to the folder of the batch, with `/` as separator. */
  resultFile?: string | undefined
  logFile?: string | undefined
  failsStep: boolean
}

/** The number of runs per category. Each run counts in one category and in `total`. */
export interface BatchCounts extends Record<Category, number> {
  total: number
}

export interface BatchSnapshot {
  /** The number of finished runs per category. `total` is the number of all runs. */
  counts: BatchCounts
  running: number
  /** The number of runs that wait for their files, the check of their result, or a retry. */
  pending: number
  /** The number of seeds whose run has not started yet. */
  waiting: number
  /** The remaining pause of all requests because of a `Retry-After`, in milliseconds. */
  heldFor: number
}

export interface BatchReport {
  counts: BatchCounts
  conclusion: 'success' | 'failure' | 'timed-out' | 'cancelled'
  /** True after a 401. A re-run with other credentials cannot read the record of this batch. */
  needsOtherCredentials: boolean
  startedOn: Date
  /** The duration of the batch in milliseconds, from a monotonic clock. */
  duration: number
  /** The records of all runs, in the order of the seeds. */
  records: readonly RunRecord[]
}
