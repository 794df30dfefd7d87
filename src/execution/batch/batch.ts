/** The types of a batch: its plan, its collaborators, its listener and its report. */
import type { StartRequest } from '../../service/client.ts'
import type { HttpError, ServiceError } from '../../service/errors.ts'
import type { Category, Conclusion, Outcome } from '../conclusion.ts'
import type { ExecutionAttempt, ExecutionReport } from '../execution-report.ts'
import type { RerunMode, EarlierRun } from '../rerun.ts'
import type { SharedCollaborators } from '../follow-execution.ts'
import type { RetryListener, RetryPlan } from '../retries.ts'

/** One seed of a list, which becomes one run of a batch. */
export interface BatchSeed {
  /** The position in the whole list, from 0. People see it counted from 1. */
  index: number
  /** The JSON text as it is written in the list. A start request sends it unchanged. */
  text: string
  /** The text in the seed that names the run: untrusted, at most 1,000 characters. */
  label: string | undefined
  /** The first 32 hexadecimal digits of the SHA-256 hash of the text. */
  key: string
  /** How many earlier seeds of the whole list have the same text. */
  occurrence: number
}

/** The seeds of a step. */
export interface SeedList {
  /** The seeds of this step's shard, in the order of the list. */
  seeds: readonly BatchSeed[]
  /** How many seeds the whole list has, including other shards. */
  total: number
}

export interface BatchPlan extends Pick<
  RetryPlan,
  'pollInterval' | 'deadline' | 'retries' | 'retryOn'
> {
  seeds: SeedList
  /** The part of the start request that is the same for all seeds. */
  request: Omit<StartRequest, 'seed'>
  /** How many runs may run at once. */
  maxParallel: number
  /** No more runs are started after the first run that fails the step. */
  failFast: boolean
  failsStep: (conclusion: Conclusion) => boolean
  /** What the record of an earlier attempt of the job says of a seed. */
  recorded: (seed: BatchSeed) => EarlierRun
  onRerun: RerunMode
}

/** An execution of an earlier attempt of the job that is not followed. */
export interface EarlierEnd {
  executionId: string
  /** Undefined if the service did not know the execution for 30 s. */
  conclusion: Outcome | undefined
}

export interface BatchCollaborators extends SharedCollaborators {
  /** The folder of the batch. Paths in records are relative to it. */
  folder: string
  /** Makes the folder for the files of a run. Rejects with a reason for people. */
  makeFolder: (seed: BatchSeed) => Promise<string>
  /** Returns words of the service as people may see them: one line of bounded length. */
  showWords: (text: string) => string
  /** Returns the part of a report that stays in memory. */
  describe: (report: ExecutionReport) => Pick<RunRecord, 'cause' | 'advice' | 'members'>
}

/** Why a batch starts no more runs. */
export type StopCause = RunStop | { kind: 'cancelled' | 'timed-out' | 'internal-error' }

/** The run after which a batch starts no more runs. */
export type RunStop =
  | { kind: 'fail-fast'; seed: Pick<BatchSeed, 'index'> }
  | {
      kind: 'credentials'
      seed: Pick<BatchSeed, 'index'>
      /** The call that was answered with 401 or 403. */
      call: 'start' | 'check'
      failure: HttpError
    }

/** What is known of a run that has finished. All records stay in memory, so they name files only. */
export interface RunRecord {
  /** The position of the seed in the whole list, from 0. */
  index: number
  /** As found in the seed: any text, untrusted. */
  label: string | undefined
  executionId: string | undefined
  conclusion: Conclusion
  /** Every execution of this run, the last one included. */
  attempts: readonly Pick<ExecutionAttempt, 'executionId' | 'conclusion'>[]
  /** Whether an earlier attempt of the job had started the execution. */
  resumed: boolean
  /** Milliseconds since the batch began. Undefined if the run held no slot. */
  startedAt: number | undefined
  /** When the run ended, before its files were fetched. Milliseconds since the batch began. */
  endedAt: number | undefined
  /** Why the run failed, or what is missing, from its log or the service. May be shown. */
  cause: string | undefined
  /** What to do if the run was not started because no connection was made. */
  advice?: string | undefined
  /** What else is known of the executions: members of a JSON object. May be shown. */
  members?: string | undefined
  /** Why this step did not start or follow the run. Undefined if it did. */
  stopReason?: StopCause['kind'] | undefined
  /** Whether the service kept a result, fetched or not. Undefined if that is not known. */
  hadResult?: boolean | undefined
  /** The path relative to the folder of the batch, with `/`. */
  resultFile?: string | undefined
  /** The service kept a result and has lost it. No re-run can fetch it. */
  isResultGone?: boolean | undefined
  logFile?: string | undefined
  /** The check of the result was not finished. The run may be a success. */
  isUnchecked?: boolean | undefined
  /** Whether this run fails the step. */
  failsStep: boolean
}

/** Each run counts in exactly one category, and in `total`. */
export interface BatchCounts extends Record<Category, number> {
  total: number
}

/** The state of a batch at one moment. */
export interface BatchSnapshot {
  /** Counts the runs that have finished. `total` counts all runs. */
  counts: BatchCounts
  running: number
  /** Runs that have ended and not finished: files are being fetched or checked, or a retry is due. */
  pending: number
  /** Seeds whose turn has not come. */
  waiting: number
  /** The expected milliseconds until all runs have finished. Undefined if none has finished. */
  expectedRest: number | undefined
  /** For how many milliseconds nothing is sent, because the service asked for it (`Retry-After`). */
  heldFor: number
}

/** Is informed while a batch runs. Only `onEnded` may take time. Trouble is reported once for all runs. */
export interface BatchListener extends Pick<
  RetryListener,
  'onStatus' | 'onTrouble' | 'onRecovery'
> {
  /** Called before the first run. `snapshot` returns the present state of the batch. */
  onBegin(snapshot: () => BatchSnapshot): void
  /** Called when an execution of a run becomes known. */
  onStarted(seed: BatchSeed, executionId: string): void
  onStartRetry(seed: BatchSeed, error: ServiceError, pause: number): void
  onRetry(seed: BatchSeed, report: ExecutionReport, pause: number): void
  /** A new execution replaces one of an earlier attempt, which failed, is invalid today, or is gone. */
  onStartedAnew(seed: BatchSeed, earlier: EarlierEnd): void
  /** The service asks for a pause of `span` milliseconds (`Retry-After`). */
  onHold(span: number): void
  /** No more runs are started. */
  onStop(cause: StopCause): void
  /** Called after the files were fetched. `report`: undefined if nothing was followed to its end. */
  onEnded(
    seed: BatchSeed,
    record: RunRecord,
    report: ExecutionReport | undefined,
  ): void | Promise<void>
}

/** The outcome of a batch. */
export interface BatchReport {
  counts: BatchCounts
  conclusion: 'success' | 'failure' | 'timed-out' | 'cancelled'
  /**
   * The run because of which not all runs were started. Refused credentials are named even if all
   * runs were started: a re-run with other credentials cannot read the record.
   */
  stoppedBy: RunStop | undefined
  startedOn: Date
  /** Milliseconds, by a clock that cannot be set back. */
  duration: number
  /** In the order of the seeds. */
  records: readonly RunRecord[]
}
