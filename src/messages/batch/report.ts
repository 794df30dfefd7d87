/** Reduces the report of a run to the redacted texts that a batch keeps in memory. */
import { messageOf } from '../../errors.ts'
import type { RunRecord } from '../../execution/batch/batch.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import { NetworkError } from '../../service/errors.ts'
import { isEndedByCancellation } from '../../service/send-at-most-once.ts'
import { adviseOn, wordsOf } from '../advice.ts'
import { cancelledInFlight, notValidatedWords } from '../failure.ts'
import { causeWords } from '../retries.ts'
import { executionMembers } from '../execution-record.ts'
import type { Secrets } from '../text/secrets.ts'

export function describeReport(
  report: ExecutionReport,
  secrets: Pick<Secrets, 'show' | 'words'>,
  cancelled: AbortSignal,
): Pick<RunRecord, 'cause' | 'advice' | 'members'> {
  const { ending } = report
  const isInFlight =
    ending.kind === 'unknown-start' && isEndedByCancellation(ending.failure, cancelled)
  return {
    cause: isInFlight ? cancelledInFlight : causeAndRetry(report, secrets),
    advice: adviceOn(report, secrets),
    members: executionMembers(report, secrets.show),
  }
}

function causeAndRetry(
  report: ExecutionReport,
  secrets: Pick<Secrets, 'show' | 'words'>,
): string | undefined {
  const cause = report.resultProblems?.lines[0] ?? causeOf(report, secrets)
  if (report.notRetried === undefined) return cause
  const why = `its retry was not started: ${secrets.words(report.notRetried)}`
  return cause === undefined ? why : `${cause}; ${why}`
}

/** Returns why a run did not succeed, or why the result of a successful run is missing. */
function causeOf(
  { conclusion, cause, ending, files, notValidated }: ExecutionReport,
  { show, words }: Pick<Secrets, 'show' | 'words'>,
): string | undefined {
  if (cause) return causeWords(cause, show)
  if (notValidated !== undefined) return notValidatedWords(notValidated)
  if (ending.kind === 'not-started') return wordsOf(ending.failure, show)
  if ('failure' in ending && ending.failure !== undefined) return words(messageOf(ending.failure))
  // A missing result does not explain why a run failed.
  if (conclusion !== 'success' || files?.result.kind !== 'unavailable') return undefined
  return words(`the result could not be fetched: ${files.result.why}`)
}

function adviceOn(
  { ending }: ExecutionReport,
  { show }: Pick<Secrets, 'show'>,
): string | undefined {
  if (ending.kind !== 'not-started') return undefined
  const { failure } = ending
  const isUnreached = failure instanceof NetworkError && !failure.mayHaveArrived
  return isUnreached ? adviseOn(failure, 'start', show).hint : undefined
}
