/**
 * What a commit status says of a run. Whoever may read the repository reads it, whatever `print-log`
 * says, so it is made of these words alone: nothing of log or result.
 */
import { conclusions, type Conclusion } from '../execution/conclusion.ts'
import type { Ending } from '../execution/ending.ts'
import type { Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

/** How a run stands: it goes on, as far as is known, or what following it came to. */
export interface StatusFacts {
  conclusion: Conclusion | 'running' | 'not-learned'
  /** Absent where the start may or may not have been accepted. */
  executionId?: string | undefined
  ending?: { kind: Ending['kind']; failure?: unknown } | undefined
}

/** UTF-16 units; GitHub counts characters, which are not more. */
export const longestDescription = 140

// GitHub answers 422 to these: "description doesn't accept 4-byte Unicode".
const fourBytes = /[\u{10000}-\u{10ffff}]/gu

/** State and description. `show`: what people may see of a text (`Secrets.show`). */
export function describeStatus(facts: StatusFacts, show: Show) {
  const { executionId, conclusion } = facts
  const words = wordsOf(facts)
  const whole = executionId === undefined ? words : `${words} (execution ${show(executionId)})`
  const description = inline(whole.replace(fourBytes, '\ufffd'), longestDescription)
  const goesOn = conclusion === 'running' || conclusion === 'not-learned'
  const state = goesOn ? 'pending' : conclusions[conclusion].commitState
  return { state, description }
}

function wordsOf({ conclusion, ending }: StatusFacts): string {
  switch (conclusion) {
    case 'running':
      return 'Running'
    case 'not-learned':
      return 'Started; the service does not answer properly now'
    case 'success':
      return 'Succeeded'
    case 'error':
      return 'Failed'
    case 'container-error':
      return 'Its container died'
    case 'stopped':
      return 'Stopped from the dashboard'
    case 'invalid-result':
      return 'Returned an invalid result'
    case 'unknown':
      return `How it ends is not known: ${whyUnknown(ending?.kind)}`
    case 'timed-out':
      return ending?.kind === 'timed-out' && ending.failure
        ? 'No end was seen before the wait was over, since the service did not answer properly'
        : 'Still running when the wait was over; wait again for its verdict'
    case 'cancelled':
      return 'The wait was cancelled, the run goes on; wait again for its verdict'
    case 'refused':
    case 'not-started':
      return 'Not started'
  }
}

function whyUnknown(kind: Ending['kind'] | undefined): string {
  if (kind === 'refused') return 'the service refused the credentials'
  if (kind === 'rejected') return 'the service refused every check'
  if (kind === 'not-found') return 'the service knows no such execution'
  return 'it may or may not have started'
}
