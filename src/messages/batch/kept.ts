/** What a batch keeps in memory of the report of a run, in texts that are fit to be shown. */
import { messageOf } from '../../errors.ts'
import type { RunRecord } from '../../execution/batch/batch.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import { executionMembers } from '../execution-record.ts'
import type { Secrets } from '../text/secrets.ts'

export function describeReport(
  report: ExecutionReport,
  secrets: Pick<Secrets, 'show' | 'words'>,
): Pick<RunRecord, 'cause' | 'members'> {
  return {
    cause: report.resultProblems?.lines[0] ?? causeOf(report, secrets),
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
