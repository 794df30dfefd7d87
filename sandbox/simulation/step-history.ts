/** What is known of one step once its attempts so far are over. */
export class StepHistory {
  /** Executions that a later attempt finds, if the cache works. */
  readonly due = new Set<string>()
  /** Executions whose end a step has reported. */
  readonly reported = new Set<string>()
  /** Executions that no re-run asks for: of attempts killed before a save, or replaced by others. */
  readonly unasked = new Set<string>()
  /** Executions that a batch has told as succeeded. */
  readonly succeeded = new Set<string>()
  /** Those of them that the service had a result of then. */
  readonly leftResult = new Set<string>()
  cacheWorks = true
}
