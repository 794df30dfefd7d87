/** What the checks know about one step after the attempts so far. */
export class StepHistory {
  /** Executions that a later attempt must find if the cache works. */
  readonly expected = new Set<string>()
  /** Executions whose end the step has reported. In a batch, only executions that failed. */
  readonly reported = new Set<string>()
  /** Executions of cancelled attempts. Their end is not reported. */
  readonly unreported = new Set<string>()
  /** Executions that a re-run need not find: not saved, replaced, or in a successful batch. */
  readonly exempt = new Set<string>()
  /** Executions that a batch has reported as successful. */
  readonly succeeded = new Set<string>()
  cacheWorks = true
}
