/** Logs which files a run has, and which files are missing. */
import type { CollectedFiles } from '../download/collect.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { describeSize } from '../messages/quantities.ts'
import type { Step } from '../runner/step.ts'
import { waitAction } from '../version.ts'

export function reportFiles(report: ExecutionReport, { log }: Pick<Step, 'log'>): void {
  const { files } = report
  if (!files) return
  const { result, log: runLog } = files
  if (result.kind === 'file') log.info(`Result: ${result.path} (${describeSize(result.size)})`)
  if (runLog.kind === 'file') log.info(`Log: ${runLog.path} (${describeSize(runLog.size)})`)
  noteNotKept(report, files, log)
  reportLosses(report, files, log)
}

function noteNotKept(
  { conclusion, ending }: ExecutionReport,
  { result, log }: CollectedFiles,
  { note }: Pick<Step['log'], 'note'>,
): void {
  // A failed run may have no result. Its missing result is reported only with a missing log.
  const isResultExpected = conclusion === 'success' || log.kind === 'not-kept'
  const missing = [
    ...(result.kind === 'not-kept' && isResultExpected ? ['result'] : []),
    ...(log.kind === 'not-kept' ? ['log'] : []),
  ]
  if (missing.length === 0) return
  const what = missing.join(' and ')
  if (ending.status?.finished) note('not-kept', { what })
  else note('not-finished', { what, wait: waitAction })
}

/**
 * Warns if a file could not be fetched. `owner`: the words that name the run of a batch, for example
 * ` of Run 12`.
 */
export function reportLosses(
  { conclusion }: Pick<ExecutionReport, 'conclusion'>,
  { result, log }: CollectedFiles,
  { note }: Pick<Step['log'], 'note'>,
  owner = '',
): void {
  const files = [
    { what: `result${owner}`, file: result },
    { what: `log${owner}`, file: log },
  ] as const
  for (const { what, file } of files) {
    // The error annotation already says why a successful run has no result.
    const isInAnnotation = file === result && conclusion === 'success'
    if (file.kind === 'unavailable' && !isInAnnotation) {
      note('not-fetched', { what, why: file.why, wait: waitAction })
    }
  }
}
