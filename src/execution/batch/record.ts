import type { Conclusion } from '../conclusion.ts'

/** What one run of a batch came to. All are kept in memory: it names files, and holds none. */
export interface RunRecord {
  /** Of the seed in the whole list, from 0. */
  index: number
  /** As found in the seed: untrusted, any text. */
  label: string | undefined
  executionId: string | undefined
  conclusion: Conclusion
  /** Every execution of this run, the last one included. */
  attempts: readonly { executionId: string; conclusion: Conclusion }[]
  /** Whether an earlier attempt of the job had started the execution. */
  resumed: boolean
  /** Milliseconds since the batch began; undefined where nothing was started or taken over. */
  startedAt: number | undefined
  /** The run's end, before its files were fetched. */
  endedAt: number | undefined
  /** Why it failed, or what is missing of it, fit to be shown: from its log, or what the service said. */
  cause: string | undefined
  /** Relative to the batch's folder, with `/`. */
  resultFile: string | undefined
  logFile: string | undefined
  /** Whether this run lets the step fail. */
  failsStep: boolean
}
