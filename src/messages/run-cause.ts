/** Says in one line why a run did not succeed, or why the result of a successful run is missing. */
import { messageOf } from '../errors.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { isEndedByCancellation } from '../service/send-at-most-once.ts'
import { wordsOf } from './advice.ts'
import { cancelledInFlight, notValidatedWords } from './failure.ts'
import { causeWords } from './retries.ts'
import { showWords, type Show } from './text/secrets.ts'

/** Returns the redacted cause, or undefined if there is nothing to say. */
export function describeCause(
  { conclusion, cause, ending, files, resultProblems, notValidated }: ExecutionReport,
  show: Show,
  cancelled: AbortSignal,
): string | undefined {
  if (resultProblems) return resultProblems.lines[0]
  if (cause) return causeWords(cause, show)
  if (notValidated !== undefined) return notValidatedWords(notValidated)
  if (ending.kind === 'not-started') return wordsOf(ending.failure, show)
  if (ending.kind === 'unknown-start' && isEndedByCancellation(ending.failure, cancelled)) {
    return cancelledInFlight
  }
  if ('failure' in ending && ending.failure !== undefined) {
    return showWords(messageOf(ending.failure), show)
  }
  // A missing result does not explain why a run failed.
  if (conclusion !== 'success' || files?.result.kind !== 'unavailable') return undefined
  return showWords(`the result could not be fetched: ${files.result.why}`, show)
}
