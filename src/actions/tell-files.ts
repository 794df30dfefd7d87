/** Says in the log which files a run left, and what is missing and why. */
import type { CollectedFiles } from '../download/collect.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { describeSize } from '../messages/quantities.ts'
import { inline } from '../messages/text/untrusted-text.ts'
import type { Step } from '../runner/step.ts'
import { waitAction } from '../version.ts'

export function tellFiles(report: ExecutionReport, files: CollectedFiles, step: Step): void {
  const { result, log } = files
  if (result.kind === 'file') step.log.info(`Result: ${result.path} (${describeSize(result.size)})`)
  if (log.kind === 'file') step.log.info(`Log: ${log.path} (${describeSize(log.size)})`)
  tellOfEncoding('result', result, step)
  tellOfEncoding('log', log, step)
  tellWhatIsNotKept(report, files, step)
  // Of a run that succeeded, the annotation tells it: the step fails.
  if (result.kind === 'unavailable' && report.conclusion !== 'success') {
    step.log.note('result-not-fetched', { why: result.why, wait: waitAction })
  }
  if (log.kind === 'unavailable') {
    step.log.note('log-not-fetched', { why: log.why, wait: waitAction })
  }
}

function tellOfEncoding(what: string, file: DownloadedFile, step: Step): void {
  if (file.kind !== 'file' || file.unknownEncoding === undefined) return
  const encoding = inline(file.unknownEncoding, 100)
  step.log.note('unknown-encoding', { what, encoding })
}

function tellWhatIsNotKept(
  { conclusion, ending }: ExecutionReport,
  { result, log }: CollectedFiles,
  step: Step,
): void {
  // A run that failed and left a log may have had no result to keep.
  const isResultExpected = conclusion === 'success' || log.kind === 'not-kept'
  const missing = [
    ...(result.kind === 'not-kept' && isResultExpected ? ['result'] : []),
    ...(log.kind === 'not-kept' ? ['log'] : []),
  ]
  if (missing.length === 0) return
  const what = missing.join(' and ')
  if (ending.status?.finished) step.log.note('not-kept', { what })
  else step.log.note('not-finished', { what, wait: waitAction })
}
