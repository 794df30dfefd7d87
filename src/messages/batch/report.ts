/** Reduces the report of a run to the redacted texts that a batch keeps in memory. */
import type { RunRecord } from '../../execution/batch/batch.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import { followedMembers } from '../execution-record.ts'
import { describeEnd, type EndFacts } from '../failure.ts'
import { describeLoss } from '../loss.ts'
import { describeCause } from '../run-cause.ts'

// The maximum total length of the problems of one result.
const maxProblems = 4 * 1024

export function describeReport(
  report: ExecutionReport,
  facts: Omit<EndFacts, 'isTakenOver'>,
): Pick<RunRecord, 'cause' | 'advice' | 'followed'> {
  const { show, cancelled } = facts
  return {
    cause: describeCause(report, show, cancelled),
    advice: adviceOn(report, { ...facts, isTakenOver: false }),
    followed: followedMembers(report, show, maxProblems),
  }
}

/** Returns the advice for this run alone. The batch has its own sentence on the re-run. */
function adviceOn(report: ExecutionReport, facts: EndFacts): string | undefined {
  const { executionId, files } = report
  const end = describeEnd(report, facts)
  if (end || files?.result.kind !== 'unavailable') return end?.next
  const { why, failure } = files.result
  return describeLoss({ title: 'result-not-fetched', why, failure }, { ...facts, executionId }).next
}
