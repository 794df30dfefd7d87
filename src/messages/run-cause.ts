/** Says in one line why a run did not succeed, or why the result of a successful run is missing. */
import { messageOf } from '../errors.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { isEndedByCancellation } from '../service/send-at-most-once.ts'
import { wordsOf } from './advice.ts'
import { cancelledInFlight, failedRuns, notValidatedWords } from './failure.ts'
import { causeWords } from './retries.ts'
import { showWords, type Show } from './text/secrets.ts'

/** Returns the redacted cause, or undefined if there is nothing to say. */
export function describeCause(
  report: ExecutionReport,
  show: Show,
  cancelled: AbortSignal,
): string | undefined {
  const cause = causeOf(report, show, cancelled)
  if (report.notRetried === undefined) return cause
  const why = `its retry was not started: ${showWords(report.notRetried, show)}`
  return cause === undefined ? why : `${cause}; ${why}`
}

/** Returns why a run did not succeed, or why the result of a successful run is missing. */
function causeOf(
  { conclusion, cause, ending, files, resultProblems, notValidated }: ExecutionReport,
  show: Show,
  cancelled: AbortSignal,
): string | undefined {
  if (resultProblems) return resultProblems.lines[0]
  if (cause) return causeWords({ cause, conclusion }, show)
  if (notValidated !== undefined) return notValidatedWords(notValidated)
  if (ending.kind === 'not-started') return wordsOf(ending.failure, show)
  if (ending.kind === 'unknown-start' && isEndedByCancellation(ending.failure, cancelled)) {
    return cancelledInFlight
  }
  if ('failure' in ending && ending.failure !== undefined) {
    return showWords(messageOf(ending.failure), show)
  }
  if (conclusion === 'error' || conclusion === 'container-error') {
    return failedRuns[conclusion].happened
  }
  // A missing result does not explain why a run failed.
  if (conclusion !== 'success' || files?.result.kind !== 'unavailable') return undefined
  return showWords(`the result could not be fetched: ${files.result.why}`, show)
}
