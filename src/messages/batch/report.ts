/** Reduces the report of a run to the redacted texts that a batch keeps in memory. */
import type { RunRecord } from '../../execution/batch/batch.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import { isUnreached } from '../../service/errors.ts'
import { adviseOn } from '../advice.ts'
import { followedMembers } from '../execution-record.ts'
import { describeCause } from '../run-cause.ts'
import type { Show } from '../text/secrets.ts'

// The maximum total length of the problems of one result.
const maxProblems = 4 * 1024

export function describeReport(
  report: ExecutionReport,
  show: Show,
  cancelled: AbortSignal,
): Pick<RunRecord, 'cause' | 'advice' | 'followed'> {
  return {
    cause: describeCause(report, show, cancelled),
    advice: adviceOn(report, show),
    followed: followedMembers(report, show, maxProblems),
  }
}

function adviceOn({ ending }: ExecutionReport, show: Show): string | undefined {
  if (ending.kind !== 'not-started') return undefined
  const { failure } = ending
  return isUnreached(failure) ? adviseOn(failure, 'start', show).hint : undefined
}
