/** Reduces the report of a run to the redacted texts that a batch keeps in memory. */
import type { RunRecord } from '../../execution/batch/batch.ts'
import { executionIdOf, type End, type RunReport } from '../../execution/report.ts'
import { followedMembers } from '../execution-record.ts'
import { describeEnd, type EndFacts } from '../failure.ts'
import { describeLoss, lossIn } from '../loss.ts'
import { describeCause } from '../run-cause.ts'

// The maximum total length of the problems of one result.
const maxProblems = 4 * 1024

export function describeReport(
  report: RunReport,
  facts: Omit<EndFacts, 'isTakenOver'>,
): Pick<RunRecord, 'cause' | 'advice' | 'followed'> {
  const { show } = facts
  return {
    cause: describeCause(report.end, show),
    advice: adviceOn(report.end, { ...facts, isTakenOver: false }),
    followed: followedMembers(report, show, maxProblems),
  }
}

/** Returns the advice for this run alone. The batch has its own sentence on the re-run. */
function adviceOn(end: End, facts: EndFacts): string | undefined {
  const loss = lossIn(end)
  const failure = loss
    ? describeLoss(loss, { ...facts, executionId: executionIdOf(end) })
    : describeEnd(end, facts)
  return failure?.next
}
