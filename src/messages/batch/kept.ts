/** What a batch keeps in memory of the report of a run, in texts that are fit to be shown. */
import { messageOf } from '../../errors.ts'
import type { RunRecord } from '../../execution/batch/batch.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import { NetworkError } from '../../service/errors.ts'
import { adviseOn } from '../advice.ts'
import { executionMembers } from '../execution-record.ts'
import type { Secrets } from '../text/secrets.ts'

export function describeReport(
  report: ExecutionReport,
  secrets: Pick<Secrets, 'show' | 'words'>,
): Pick<RunRecord, 'cause' | 'advice' | 'members'> {
  return {
    cause: report.resultProblems?.lines[0] ?? causeOf(report, secrets),
    advice: adviceOn(report, secrets),
    members: executionMembers(report, secrets.show),
  }
}

/** Why a run did not succeed, or what is missing of it. */
function causeOf(
  { conclusion, cause, ending, files }: ExecutionReport,
  { words }: Pick<Secrets, 'words'>,
): string | undefined {
  if (cause) return cause.isLastLine ? `last line of its log: ${cause.text}` : cause.text
  if ('failure' in ending && ending.failure !== undefined) return words(messageOf(ending.failure))
  // Beside a failure it is a warning, and does not explain it.
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
