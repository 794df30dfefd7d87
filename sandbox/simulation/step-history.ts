/** What the attempts so far have shown about one step. */
export class StepHistory {
  /** Executions that a later attempt finds, if the cache works. */
  readonly due = new Set<string>()
  /** Executions whose end a step has reported. */
  readonly reported = new Set<string>()
  /** Executions that a re-run need not find: never saved, or replaced by others. */
  readonly unasked = new Set<string>()
  /** Executions that a batch has reported as succeeded. */
  readonly succeeded = new Set<string>()
  /** Succeeded executions for which the service had a result. */
  readonly hadResult = new Set<string>()
  cacheWorks = true
}
