/** What goes into the following of a batch, what it reports on the way, and what comes of it. */
import type { Clock, Deadline } from '../../clock.ts'
import type { Store } from '../../download/store.ts'
import type { ExecutionService } from '../../service/client.ts'
import type { ExecutionStatus } from '../../service/contract.ts'
import type { HttpError, ServiceError } from '../../service/errors.ts'
import type { StartRequest } from '../../service/requests.ts'
import type { RunRecord, ShowsTexts, StopReason } from './record.ts'
import type { ReadLogEnd } from '../cause.ts'
import type { Conclusion, Outcome } from '../conclusion.ts'
import type { ExecutionReport } from '../execution-report.ts'
import type { Collaborators } from '../follow-execution.ts'
import type { OnRerun, RecordedRun } from '../rerun.ts'
import type { RetryPlan } from '../retries.ts'
import type { BatchCounts, BatchSnapshot } from './tally.ts'

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

export interface BatchPlan extends Pick<RetryPlan, 'retries' | 'retryOn'> {
  seeds: SeedList
  /** What each seed is started with. */
  request: Omit<StartRequest, 'seed'>
  /** Runs at once. */
  maxParallel: number
  /** After the first run that fails the step, no more are started. */
  failFast: boolean
  failsStep: (conclusion: Conclusion) => boolean
  /** Milliseconds between two checks of a run at least. */
  pollInterval: number
  /** The step's time; a cancellation ends it early. */
  deadline: Deadline
  /** What the record of an earlier attempt of the job says of a seed. */
  recorded: (seed: BatchSeed) => RecordedRun
  onRerun: OnRerun
}

/** What an earlier attempt of the job started and is not followed. */
export interface EarlierEnd {
  executionId: string
  /** Undefined where the service did not know it for 30 s. */
  conclusion: Outcome | undefined
}

export interface BatchCollaborators extends ShowsTexts, Pick<Collaborators, 'checkResult'> {
  service: ExecutionService
  store: Store
  clock: Clock
  /** Between 0 and 1, as of `Math.random`. */
  random: () => number
  cancelled: AbortSignal
  /** Infinity lifts the budget. */
  checksPerSecond: number
  /** The batch's folder: the records' paths start from it. */
  folder: string
  /** Makes the folder for a run's files; rejects with a reason for people. */
  makeFolder: (seed: BatchSeed) => Promise<string>
  /** Removes a folder that `makeFolder` made, with all that is in it. Never rejects. */
  removeFolder: (folder: string) => Promise<void>
  readLogEnd: ReadLogEnd
}

/** The run for which no more are started. */
export type StopCause =
  | { kind: 'fail-fast'; seed: Pick<BatchSeed, 'index'> }
  | {
      kind: 'credentials'
      seed: Pick<BatchSeed, 'index'>
      /** What was answered 401 or 403. */
      call: 'start' | 'check'
      failure: HttpError
      /** Whether that run was in a slot: it is no longer followed. */
      isRunning: boolean
    }

/** What happens on the way. All but `onEnded` return at once. */
export interface BatchListener {
  /** Before the first run: `snapshot` says at any time how far the batch is. */
  onBegin(snapshot: () => BatchSnapshot): void
  /** Whenever an execution of a run becomes known. */
  onStarted(seed: BatchSeed, executionId: string): void
  /** Every status record, before anything is done with it: its links are secrets. */
  onStatus(status: ExecutionStatus): void
  onStartRetry(seed: BatchSeed, error: ServiceError, pause: number): void
  onRetry(seed: BatchSeed, report: ExecutionReport, pause: number): void
  /** What an earlier attempt started is started anew: it failed, is invalid today, or is gone. */
  onStartedAnew(seed: BatchSeed, earlier: EarlierEnd): void
  /** The service asks that nothing is sent for `span` milliseconds (`Retry-After`). */
  onHold(span: number): void
  /** The service has not answered properly for a minute. */
  onTrouble(failure: unknown): void
  /** Once after each `onTrouble`, when it does again. */
  onRecovery(): void
  /** No more are started. */
  onStop(reason: StopReason, cause: StopCause | undefined): void
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
  stoppedBy: StopCause | undefined
  startedOn: Date
  /** Milliseconds, by a clock that nobody can set back. */
  duration: number
  /** In the order of the seeds. */
  records: readonly RunRecord[]
}
