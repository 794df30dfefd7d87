/** Says in the log which files a run left, and what is missing of it and why. */
import type { CollectedFiles } from '../download/collect.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { describeSize } from '../messages/quantities.ts'
import { inline } from '../messages/text/untrusted-text.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step } from '../runner/step.ts'
import { waitAction } from '../version.ts'
import type { DownloadedFile } from '../download/download.ts'
import { describeFileProblem, type LostFile } from '../messages/file-problem.ts'
import { copyIntoWorkspace } from '../runner/workspace.ts'

export function reportFiles(report: ExecutionReport, files: CollectedFiles, step: Step): void {
  const { result, log } = files
  const { conclusion, ending } = report
  if (result.kind === 'file') step.log.info(`Result: ${result.path} (${describeSize(result.size)})`)
  if (log.kind === 'file') step.log.info(`Log: ${log.path} (${describeSize(log.size)})`)
  // A run that failed and left a log may have had no result to keep.
  const isResultExpected = conclusion === 'success' || log.kind === 'not-kept'
  const missing = [
    ...(result.kind === 'not-kept' && isResultExpected ? ['result'] : []),
    ...(log.kind === 'not-kept' ? ['log'] : []),
  ]
  if (missing.length > 0) {
    const what = missing.join(' and ')
    if (ending.status?.finished) step.log.note('not-kept', { what })
    else step.log.note('not-finished', { what, wait: waitAction })
  }
  reportLosses(report, files, step.log)
}

/** What could not be had as it should. `owner`: whose it is, where the step has many runs. */
export function reportLosses(
  { conclusion }: Pick<ExecutionReport, 'conclusion'>,
  { result, log }: CollectedFiles,
  { note }: Pick<Step['log'], 'note'>,
  owner = '',
): void {
  const files = [
    { what: `result${owner}`, file: result },
    { what: `log${owner}`, file: log },
  ]
  for (const { what, file } of files) {
    if (file.kind === 'file' && file.unknownEncoding !== undefined) {
      note('unknown-encoding', { what, encoding: inline(file.unknownEncoding, 100) })
    }
    // Of a run that succeeded, the annotation says it: the step fails.
    const isInAnnotation = file === result && conclusion === 'success'
    if (file.kind === 'unavailable' && !isInAnnotation) {
      note('not-fetched', { what, why: file.why, wait: waitAction })
    }
  }
}

/** Only a success replaces what `saveResultAs` holds: it may be the last good result. */
export async function copyFiles(
  { saveResultAs, saveLogAs }: Pick<RunInputs['publishing'], 'saveResultAs' | 'saveLogAs'>,
  { conclusion }: ExecutionReport,
  { result, log }: CollectedFiles,
  step: Step,
): Promise<LostFile[]> {
  const succeeded = conclusion === 'success'
  if (saveResultAs !== undefined && !succeeded) {
    const why =
      conclusion === 'invalid-result' ? 'the result is invalid' : 'the run did not succeed'
    step.log.info(`save-result-as: ${saveResultAs} is left as it is, since ${why}`)
  }
  const lost = [
    await copyTo(succeeded ? saveResultAs : undefined, result, 'save-result-as', step),
    await copyTo(saveLogAs, log, 'save-log-as', step),
  ].filter((copy) => copy !== undefined)
  // Of a run that succeeded, the annotation says it: the step fails.
  if (!succeeded) {
    for (const { input, why } of lost) step.log.note('copy-not-written', { input, why })
  }
  return lost
}

async function copyTo(
  target: string | undefined,
  file: DownloadedFile,
  input: 'save-result-as' | 'save-log-as',
  step: Step,
): Promise<LostFile | undefined> {
  if (target === undefined) return undefined
  if (file.kind !== 'file') {
    step.log.note('nothing-to-copy', { input, target })
    return undefined
  }
  try {
    await copyFile(file.path, target, input, step)
    return undefined
  } catch (error) {
    return { input, why: `${target}: ${describeFileProblem(error)}` }
  }
}

/** `input`: the one that asks for it. Rejects as {@link copyIntoWorkspace} does. */
export async function copyFile(
  source: string,
  target: string,
  input: string,
  step: Step,
): Promise<void> {
  await copyIntoWorkspace(source, target, step)
  step.log.info(`Copied to ${target} (${input})`)
}
