/** Says in the log which files a run left, and what is missing and why. */
import type { CollectedFiles } from '../download/collect.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { describeSize } from '../messages/size.ts'
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
    step.log.warning(`The result could not be fetched: ${result.why}. ${fetchAgain}`)
  }
  if (log.kind === 'unavailable') {
    step.log.warning(`The log could not be fetched: ${log.why}. ${fetchAgain}`)
  }
}

const fetchAgain = `Fetch it again with ${waitAction} and the same execution-id.`

function tellOfEncoding(what: string, file: DownloadedFile, step: Step): void {
  if (file.kind !== 'file' || file.unknownEncoding === undefined) return
  const encoding = inline(file.unknownEncoding, 100)
  step.log.warning(
    `The store sent the ${what} in an encoding that is not understood (content-encoding: ${encoding}). Its bytes were kept as they came.`,
  )
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
  step.log.notice(
    ending.status?.finished
      ? `The automation isn't set to keep its ${what}, so there is nothing to publish. Switch it on in the service's dashboard.`
      : `The service has not finished the run yet, so there is no ${what} to publish. Fetch them later with ${waitAction}.`,
  )
}
