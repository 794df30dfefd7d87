/** Reduces the report of a run to the redacted texts that a batch keeps in memory. */
import type { RunRecord } from '../../execution/batch/batch.ts'
import type { End, RunReport } from '../../execution/report.ts'
import { isUnreached } from '../../service/errors.ts'
import { adviseOn } from '../advice.ts'
import { followedMembers } from '../execution-record.ts'
import { describeCause } from '../run-cause.ts'
import type { Show } from '../text/secrets.ts'

// The maximum total length of the problems of one result.
const maxProblems = 4 * 1024

export function describeReport(
  report: RunReport,
  show: Show,
): Pick<RunRecord, 'cause' | 'advice' | 'followed'> {
  return {
    cause: describeCause(report.end, show),
    advice: adviceOn(report.end, show),
    followed: followedMembers(report, show, maxProblems),
  }
}

function adviceOn(end: End, show: Show): string | undefined {
  if (end.kind !== 'not-sent' || !isUnreached(end.failure)) return undefined
  return adviseOn(end.failure, 'start', show).hint
}
