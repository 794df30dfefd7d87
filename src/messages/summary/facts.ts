/** What the job summary tells, as plain values. */
import type { FailureCause, FailureKind } from '../annotation.ts'

export interface SummaryFacts {
  conclusion:
    | 'success'
    | 'error'
    | 'container-error'
    | 'stopped'
    | 'timed-out'
    | 'cancelled'
    | 'unknown'
    /** No run came of it: no conclusion of the action, but something to tell. */
    | 'not-started'
  /** Whether the step fails, which `fail-on` may decide otherwise than the conclusion. */
  failed: boolean
  /** Absent where only the execution is known (`wait`). */
  automation?: string | undefined
  project?: string | undefined
  executionId?: string | undefined
  /** Milliseconds. */
  duration?: number | undefined
  /** How many times the service was asked. */
  checks?: number | undefined
  artifact?: { name: string; url: string } | undefined
  /** The page of the workflow run. */
  runUrl?: string | undefined
  /** Whether the step gave a webhook; absent for runs that another step started. */
  webhookGiven?: boolean | undefined
  /** How a run, or the watching of it, failed: as told in the annotation. */
  failure?: FailureKind | undefined
  /** Where `failure` is absent: what to tell instead, e.g. the annotation's message, cause and all. */
  message?: string | undefined
  cause?: FailureCause | undefined
  /** The end of the run's log; its last 40 lines are shown on failure. */
  log?: string | undefined
  result?: ResultPreview | undefined
}

export interface ResultPreview {
  /** The result's file name, e.g. `result.json`. */
  name: string
  /** As the store says, e.g. `application/json; charset=utf-8`. */
  mediaType: string
  /** Bytes of the whole result. */
  size: number
  /** Its beginning, at most 256 KiB; absent where it is no text. */
  text?: string | undefined
  /** Whether `text` is the whole result. */
  complete: boolean
}
