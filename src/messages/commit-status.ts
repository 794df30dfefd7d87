/**
 * Describes a run for a commit status. Everybody who can read the repository can read the status.
 * Therefore, the description quotes neither the log nor the result of the run.
 */
import { type Conclusion, factsOf } from '../execution/conclusion.ts'
import { capitalised } from './advice.ts'

export interface StatusFacts {
  /** Undefined if the end of the run is not known to this step, which does not wait for it. */
  conclusion: Conclusion | undefined
  /** The execution id. Undefined if the step does not know an execution. */
  executionId?: string | undefined
  /** True if the result of a successful run was kept, but could not be fetched. */
  isResultLost?: boolean
}

/** Returns the state and the description of the commit status. */
export function describeStatus(facts: StatusFacts) {
  const { state, words } = standingOf(facts)
  const id = facts.executionId === undefined ? '' : ` (execution ${facts.executionId})`
  return { state, description: `${words}${id}` }
}

function standingOf({ conclusion, isResultLost = false }: StatusFacts) {
  if (conclusion === undefined) return { state: 'pending', words: 'Started' } as const
  const { commitState: state, verb } = factsOf(conclusion)
  if (state === 'pending') return { state, words: 'The step stopped waiting before the run ended' }
  const words = capitalised(verb)
  return isResultLost
    ? ({ state: 'error', words: `${words}, but its result could not be fetched` } as const)
    : { state, words }
}

/** Says why there is no commit status if the input `commit-sha` is empty. */
export function describeMissingCommit(event = 'of this workflow'): string {
  return `commit-sha is empty, and the event ${event} may be about another commit than this run`
}
