/** What one run of a batch came to. */
import type { Conclusion } from './conclusion.ts'

/** Kept on disk as a line of JSON; never are all of a batch in memory at once. */
export interface RunRecord {
  /** Of the seed in the whole list, from 0. */
  index: number
  /** As found in the seed: untrusted, any text. */
  label: string | undefined
  executionId: string | undefined
  conclusion: Conclusion | 'refused' | 'not-started'
  /** Every execution of this run, the last one included. */
  attempts: readonly { executionId: string; conclusion: Conclusion }[]
  resumed: boolean
  /** Milliseconds since the step's start; undefined where it never started. */
  startedAt: number | undefined
  endedAt: number | undefined
  /** Why it failed, in words: from its log, or what the service said. */
  cause: string | undefined
  /** Relative to the batch's folder, with `/`. */
  resultFile: string | undefined
  logFile: string | undefined
  /** Whether fail-on lets this one fail the step. */
  failsStep: boolean
}
