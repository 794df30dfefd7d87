/** The events of a batch. They include the events of its runs. */
import type { RunEvent } from '../events.ts'
import type { RunReport } from '../report.ts'
import type { BatchSeed, BatchSnapshot, EarlierEnd, RunRecord, StopCause } from './batch.ts'

export type BatchEvent =
  /** Sent before the first run. `snapshot` returns the current state of the batch. */
  | { kind: 'begun'; snapshot: () => BatchSnapshot }
  /** An execution is known: the service accepted a start, or a record names the execution. */
  | { kind: 'found'; seed: BatchSeed; executionId: string }
  /** A new execution will replace an execution from an earlier attempt of the job. */
  | { kind: 'replaced'; seed: BatchSeed; earlier: EarlierEnd }
  /** An event of one run. Instead of `started`, the event `found` is sent. */
  | { kind: 'run'; seed: BatchSeed; event: Exclude<RunEvent, { kind: 'started' }> }
  /** The service asks for a pause of `span` milliseconds (`Retry-After`). */
  | { kind: 'held'; span: number }
  /** Sent once, when the batch decides to start no more runs. */
  | { kind: 'stopped'; cause: StopCause }
  /** A run has finished. `report` is undefined if the step did not follow the run. */
  | { kind: 'done'; seed: BatchSeed; record: RunRecord; report: RunReport | undefined }

export type EmitBatch = (event: BatchEvent) => void
