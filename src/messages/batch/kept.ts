/** What a batch keeps in memory of the report of a run, in texts that are fit to be shown. */
import { messageOf } from '../../errors.ts'
import type { RunRecord } from '../../execution/batch/batch.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import { executionMembers } from '../execution-record.ts'
import { showProblems } from '../result-problems.ts'
import type { Secrets } from '../text/secrets.ts'

/** `values`: whether the cause shows values of the result (`print-result`). */
export function describeReport(
  report: ExecutionReport,
  secrets: Pick<Secrets, 'show' | 'showBeginning' | 'words'>,
  values: boolean,
): Pick<RunRecord, 'cause' | 'members'> {
  const { resultProblems } = report
  const cause = resultProblems && showProblems(resultProblems, secrets, values).lines[0]
  // With the values, as the files of the result beside it have them.
  const problems = resultProblems && showProblems(resultProblems, secrets, true)
  return {
    cause: cause ?? causeOf(report, secrets),
    members: executionMembers(report, secrets.show, problems),
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
