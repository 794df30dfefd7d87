/** The events of a run. */
import type { DownloadEvent } from '../download/download.ts'
import type { NotAccepted } from '../service/send-at-most-once.ts'
import type { Collected, RunReport, WatchEnd } from './report.ts'
import type { Seen } from './seen.ts'

/**
 * The service accepted the start. `message` is the text of its answer (untrusted). An answer with an
 * error `status` may name the execution too.
 */
export interface Started {
  kind: 'started'
  executionId: string
  message: string
  status: number
}

export type RunEvent =
  /** A record names this execution of an earlier attempt. The service is asked about it next. */
  | { kind: 'recorded'; executionId: string }
  /** A start was not accepted. The start is sent again after `pause` milliseconds. */
  | { kind: 'start-retry'; failure: unknown; pause: number }
  | Started
  /** The step begins to wait for the end of the execution. */
  | { kind: 'watching' }
  /**
   * A check got an answer or failed. `pause` is the time until the next check of this watch, in
   * milliseconds. Undefined if no check follows.
   */
  | { kind: 'checked'; seen: Seen; pause: number | undefined }
  /**
   * The start was not accepted, or the wait has ended. Not sent for a retry that was not started.
   * `isRetryDue` is true if this end asks for a retry. A cancellation or the timeout may still prevent
   * the retry.
   */
  | { kind: 'ended'; end: NotAccepted | WatchEnd; isRetryDue: boolean }
  | { kind: 'download'; download: DownloadEvent }
  /**
   * After a wait that saw the end: the files were fetched, and the result was validated. An invalid
   * result may ask for a retry.
   */
  | { kind: 'collected'; end: Collected; isRetryDue: boolean }
  /**
   * The execution of `report` failed. The next execution starts after `pause` milliseconds. There are
   * at most `max` executions.
   */
  | { kind: 'retrying'; report: RunReport; max: number; pause: number }

/**
 * Handles an event: sets outputs, changes the record, writes the log and loads code. Outputs, record
 * and log have the event when the call returns.
 */
export type Emit = (event: RunEvent) => void
