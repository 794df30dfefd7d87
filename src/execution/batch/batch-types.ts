/** Defines the types for a batch, which starts one run of an automation for each seed in a list. */
import type { EarlierRun, Replaced, RerunMode } from '../begin.ts'
import type { Category, Conclusion } from '../conclusion.ts'
import type { RunEvent } from '../events.ts'
import type { End, RunReport, Target } from '../report.ts'
import type { Row, Unfollowed } from '../row.ts'
import type { RunSpec, SharedEnv } from '../follow-run.ts'
import type { SendStart } from '../start-run.ts'
import type { WatchEnv } from '../watch.ts'

/** The input of one run of a batch: a JSON object from the list of seeds. */
export interface BatchSeed {
  /** The position of the seed in the list, from 1. */
  number: number
  /** The JSON text of the seed, as in the list. A start request sends this text unchanged. */
  text: string
  /** The name of the run, read from the seed. Untrusted text of at most 1,000 characters. */
  label: string | undefined
  /** The first 32 hexadecimal digits of the SHA-256 hash of the seed's text. */
  key: string
  /** The number of earlier seeds in the list that have the same text. */
  occurrence: number
}

export interface BatchPlan extends Pick<RunSpec, 'pollInterval' | 'deadline' | 'retrying'> {
  seeds: readonly BatchSeed[]
  target: Target
  maxParallel: number
  /** True to start no more runs after the first run that fails the step. */
  failFast: boolean
  /** Returns true if a run with this conclusion fails the step (`fail-on`). */
  isFailing: (conclusion: Conclusion) => boolean
  /** Returns what an earlier attempt of the job recorded about the run of a seed. */
  recorded: (seed: BatchSeed) => EarlierRun
  mode: RerunMode
}

export interface BatchEnv extends SharedEnv {
  sendCheck: WatchEnv['sendCheck']
  /** Sends one start with this seed. */
  sendStart: (seed: BatchSeed, ...signals: Parameters<SendStart>) => ReturnType<SendStart>
  /** Creates the folder for the files of a run. Rejects with a message for users. */
  makeFolder: (seed: BatchSeed) => Promise<string>
  /** Returns the facts of a run. Until the batch ends, only these facts stay in memory. */
  rowOf: (run: RunReport | Unfollowed) => Row
  /**
   * Returns what to do about a run that ended like this. Undefined after a success. `othersRan` is
   * true if other runs of the batch were running.
   */
  nextStepAfter: (end: End, othersRan: boolean) => string | undefined
}

/** The reason why a batch stopped starting runs. */
export type StopReason = keyof typeof stopWords

/** The cause of a run that was not started, for each reason why the batch stopped starting runs. */
export const stopWords = {
  cancelled: 'the step was cancelled',
  'timed-out': 'the input timeout ran out',
  credentials: 'the service refused the credentials',
  'fail-fast': 'an earlier run failed the step (fail-fast)',
  'unclear-starts': 'three starts in a row got no clear answer',
  'internal-error': 'this action had an internal error',
}

/** A finished run of a batch: its facts, and what only a batch knows about it. */
export interface BatchRow {
  /** The position of the seed in the list, from 1. */
  number: number
  /** The name of the run, read from the seed. Untrusted text. */
  label: string | undefined
  facts: Row
  /** True if an earlier attempt of the job started the first execution. */
  isTakenOver: boolean
  /** When the run started, in milliseconds since the batch began. Undefined if not known. */
  startedAt: number | undefined
  /** Milliseconds until the newest execution of the run ended. Undefined if not known. */
  duration: number | undefined
  /**
   * What to do about the failure. Undefined after a success or an internal error, or if the stop of
   * the batch prevented the run.
   */
  advice: string | undefined
  failsStep: boolean
}

/** The number of runs per category. Each run counts in one category and in `total`. */
export interface BatchCounts extends Record<Category, number> {
  total: number
}

export interface BatchSnapshot {
  /** The number of finished runs per category. `total` is the number of all runs. */
  counts: BatchCounts
  /** The number of runs whose execution has started and is followed. */
  running: number
  /** The number of slots that are kept, because the run of an unclear start may exist. */
  kept: number
  /** The number of runs that wait for a slot, a start, their files or the check of their result. */
  waiting: number
  pauses: Pauses
}

/** The remaining pauses of all runs, in milliseconds. */
export interface Pauses {
  starts: number
  checks: number
}

/** The events of a batch. They include the events of its runs. */
export type BatchEvent =
  /** Sent before the first run. `snapshot` returns the current state of the batch. */
  | { kind: 'opened'; snapshot: () => BatchSnapshot }
  /** An event of one run. */
  | { kind: 'run'; seed: BatchSeed; event: RunEvent }
  /** A new execution will replace an execution from an earlier attempt of the job. */
  | { kind: 'replaced'; seed: BatchSeed; earlier: Replaced }
  /** A new start has the id of an execution that a run with an equal seed already has. */
  | { kind: 'shared-execution'; seed: BatchSeed; other: BatchSeed; executionId: string }
  /** Sent once, when the batch decides to start no more runs. */
  | { kind: 'starts-stopped'; reason: StopReason }
  /** A run has finished. `report` is undefined if the step did not follow the run. */
  | { kind: 'done'; seed: BatchSeed; row: BatchRow; report: RunReport | undefined }

/** Handles an event of a batch, as `Emit` handles an event of a run. */
export type EmitBatch = (event: BatchEvent) => void

export interface BatchReport {
  counts: BatchCounts
  conclusion: 'success' | 'failure' | 'timed-out' | 'cancelled'
  /** True after a 401. A re-run with other credentials cannot read the record of this batch. */
  needsOtherCredentials: boolean
  startedOn: Date
  /** The duration of the batch in milliseconds, from a monotonic clock. */
  duration: number
  /** All runs, in the order of the seeds. */
  rows: readonly BatchRow[]
}
