/** What goes into the following of a batch, what it reports on the way, and what comes of it. */
import type { StartRequest } from '../../service/client.ts'
import type { HttpError, ServiceError } from '../../service/errors.ts'
import type { Category, Conclusion, Outcome } from '../conclusion.ts'
import type { ExecutionAttempt, ExecutionReport } from '../execution-report.ts'
import type { RerunMode, RecordedRun } from '../rerun.ts'
import type { RetryCollaborators, RetryListener, RetryPlan } from '../retries.ts'

/** One seed of a list, which becomes one run of a batch. */
export interface BatchSeed {
  /** Its place in the whole list, from 0; people see it counted from 1. */
  index: number
  /** Its JSON text as it is written in the list, as a start request wants it. */
  text: string
  /** The text that names the run, as found in the seed: untrusted, of at most 1,000 characters. */
  label: string | undefined
  /** The first 32 hex digits of the SHA-256 hash of its text. */
  key: string
  /** How many seeds before it in the whole list have the same text. */
  occurrence: number
}

/** The seeds of a step. */
export interface SeedList {
  /** Those of this step's shard, in the order of the list. */
  seeds: readonly BatchSeed[]
  /** How many seeds the whole list has, those of other shards included. */
  total: number
}

export interface BatchPlan extends Pick<
  RetryPlan,
  'pollInterval' | 'deadline' | 'retries' | 'retryOn'
> {
  seeds: SeedList
  /** What each seed is started with. */
  request: Omit<StartRequest, 'seed'>
  /** Runs at once. */
  maxParallel: number
  /** After the first run that fails the step, no more are started. */
  failFast: boolean
  failsStep: (conclusion: Conclusion) => boolean
  /** What the record of an earlier attempt of the job says of a seed. */
  recorded: (seed: BatchSeed) => RecordedRun
  onRerun: RerunMode
}

/** What an earlier attempt of the job started and is not followed. */
export interface EarlierEnd {
  executionId: string
  /** Undefined where the service did not know it for 30 s. */
  conclusion: Outcome | undefined
}

export interface BatchCollaborators extends Omit<
  RetryCollaborators,
  'makeFolder' | 'startLimits' | 'minPause' | 'turn'
> {
  /** The batch's folder: the records' paths start from it. */
  folder: string
  /** Makes the folder for a run's files; rejects with a reason for people. */
  makeFolder: (seed: BatchSeed) => Promise<string>
  /** What people may see of words of the service: one line, bounded. */
  showWords: (text: string) => string
  /** What is kept of a report, of which only its record stays in memory. */
  describe: (report: ExecutionReport) => Pick<RunRecord, 'cause' | 'advice' | 'members'>
}

/** Why a batch starts no more runs. */
export type StopCause = RunStop | { kind: 'cancelled' | 'timed-out' | 'internal-error' }

/** For a run, after which no more are started. */
export type RunStop =
  | { kind: 'fail-fast'; seed: Pick<BatchSeed, 'index'> }
  | {
      kind: 'credentials'
      seed: Pick<BatchSeed, 'index'>
      /** What was answered 401 or 403. */
      call: 'start' | 'check'
      failure: HttpError
    }

/** All are kept in memory: it names files, and holds none. */
export interface RunRecord {
  /** Of the seed in the whole list, from 0. */
  index: number
  /** As found in the seed: untrusted, any text. */
  label: string | undefined
  executionId: string | undefined
  conclusion: Conclusion
  /** Every execution of this run, the last one included. */
  attempts: readonly Pick<ExecutionAttempt, 'executionId' | 'conclusion'>[]
  /** Whether an earlier attempt of the job had started the execution. */
  resumed: boolean
  /** Milliseconds since the batch began; undefined where it held no slot. */
  startedAt: number | undefined
  /** The run's end, before its files were fetched. */
  endedAt: number | undefined
  /** Why it failed, or what is missing of it, fit to be shown: from its log, or what the service said. */
  cause: string | undefined
  /** What to do where no connection was made, so that it was not started. */
  advice?: string | undefined
  /** What else is known of its executions, fit to be shown: members of a JSON object. */
  members?: string | undefined
  /** Why its turn did not come, where it did not; what an earlier attempt started may be over. */
  stopReason?: StopCause['kind'] | undefined
  /** Whether the service kept a result, fetched or not; undefined where that is not known. */
  leftResult?: boolean | undefined
  /** Relative to the batch's folder, with `/`. */
  resultFile?: string | undefined
  /** The service kept a result, and has no link to it any more: no re-run fetches it. */
  isResultGone?: boolean | undefined
  logFile?: string | undefined
  /** The check of its result ran out of time or memory, or was not made: the run may be a success. */
  isUnchecked?: boolean | undefined
  /** Whether this run fails the step. */
  failsStep: boolean
}

/** Each run is in exactly one of them but `total`. */
export interface BatchCounts extends Record<Category, number> {
  total: number
}

/** A moment of a batch. */
export interface BatchSnapshot {
  /** Of the runs that are over; `total` of all. */
  counts: BatchCounts
  running: number
  /** Runs that have ended and are not over: their files are fetched and checked, or a retry is due. */
  pending: number
  /** Seeds whose turn has not come. */
  waiting: number
  /** Milliseconds until all are over, as those that are over let expect; undefined without any. */
  expectedRest: number | undefined
  /** Milliseconds for which nothing is sent, as the service has asked (`Retry-After`); else 0. */
  heldFor: number
}

/** What happens on the way. All but `onEnded` return at once; trouble is told once for all runs. */
export interface BatchListener extends Pick<
  RetryListener,
  'onStatus' | 'onTrouble' | 'onRecovery'
> {
  /** Before the first run: `snapshot` says at any time how far the batch is. */
  onBegin(snapshot: () => BatchSnapshot): void
  /** Whenever an execution of a run becomes known. */
  onStarted(seed: BatchSeed, executionId: string): void
  onStartRetry(seed: BatchSeed, error: ServiceError, pause: number): void
  onRetry(seed: BatchSeed, report: ExecutionReport, pause: number): void
  /** What an earlier attempt started is started anew: it failed, is invalid today, or is gone. */
  onStartedAnew(seed: BatchSeed, earlier: EarlierEnd): void
  /** The service asks that nothing is sent for `span` milliseconds (`Retry-After`). */
  onHold(span: number): void
  /** No more are started. */
  onStop(cause: StopCause): void
  /** With its files fetched. `report`: undefined where nothing was followed to its end. */
  onEnded(
    seed: BatchSeed,
    record: RunRecord,
    report: ExecutionReport | undefined,
  ): void | Promise<void>
}

/** What became of a batch. */
export interface BatchReport {
  counts: BatchCounts
  conclusion: 'success' | 'failure' | 'timed-out' | 'cancelled'
  /**
   * For which run not all were started, where it was for one. A refusal of the credentials also where
   * all had been started: who changes them loses the record, and a re-run with it.
   */
  stoppedBy: RunStop | undefined
  startedOn: Date
  /** Milliseconds, by a clock that nobody can set back. */
  duration: number
  /** In the order of the seeds. */
  records: readonly RunRecord[]
}
