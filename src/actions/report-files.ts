/** Logs which files a run has, and copies the files into the workspace. */
import type { CollectedFiles } from '../download/collect.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { describeSize } from '../messages/quantities.ts'
import { inline } from '../messages/text/untrusted-text.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step } from '../runner/step.ts'
import { waitAction } from '../version.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { MissingCopy } from '../messages/loss.ts'
import { describeFileProblem } from '../errors.ts'
import { copyIntoWorkspace } from '../runner/workspace.ts'

type Copies = Pick<RunInputs['publishing'], 'saveResultAs' | 'saveLogAs'>

/** A requested copy of a file. A failed run never replaces the copy of an earlier good result. */
interface DueCopy extends Pick<MissingCopy, 'input' | 'what' | 'target'> {
  file: DownloadedFile
}

/** Logs which files a run has, and writes the requested copies. Returns the missing copies. */
export async function reportFiles(
  report: ExecutionReport,
  copies: Copies,
  step: Step,
): Promise<MissingCopy[]> {
  const { files, conclusion } = report
  if (!files) return []
  const { result, log } = files
  const due = dueCopies(copies, report, files)
  // A problem that fails the step needs no warning, because the error annotation is enough.
  const isInAnnotation = (what: 'result' | 'log') =>
    conclusion === 'success' && (what === 'result' || result.kind !== 'unavailable')
  const isExplained = (what: 'result' | 'log') =>
    isInAnnotation(what) && due.some((copy) => copy.what === what)
  if (result.kind === 'file') step.log.info(`Result: ${result.path} (${describeSize(result.size)})`)
  if (log.kind === 'file') step.log.info(`Log: ${log.path} (${describeSize(log.size)})`)
  noteNotKept(report, files, isExplained, step)
  reportLosses(report, files, step.log, { isExplained })
  if (copies.saveResultAs !== undefined && conclusion !== 'success') {
    const why =
      conclusion === 'invalid-result' ? 'the result is invalid' : 'the run did not succeed'
    step.log.info(`save-result-as: ${copies.saveResultAs} is not changed, because ${why}`)
  }
  const missing: MissingCopy[] = []
  for (const copy of due) missing.push(...(await writeCopy(copy, step)))
  for (const { kind, what, input, target, why } of missing) {
    if (isInAnnotation(what)) continue
    if (kind === 'not-written') step.log.note('copy-not-written', { input, why })
    else step.log.note('nothing-to-copy', { input, target })
  }
  return missing
}

function dueCopies(
  { saveResultAs, saveLogAs }: Copies,
  { conclusion }: ExecutionReport,
  { result, log }: CollectedFiles,
): DueCopy[] {
  const due: DueCopy[] = []
  if (saveResultAs !== undefined && conclusion === 'success') {
    due.push({ input: 'save-result-as', what: 'result', target: saveResultAs, file: result })
  }
  if (saveLogAs !== undefined) {
    due.push({ input: 'save-log-as', what: 'log', target: saveLogAs, file: log })
  }
  return due
}

function noteNotKept(
  { conclusion, ending }: ExecutionReport,
  { result, log }: CollectedFiles,
  isExplained: (what: 'result' | 'log') => boolean,
  step: Step,
): void {
  // A failed run may have no result. Its missing result is reported only with a missing log.
  const isResultExpected = conclusion === 'success' || log.kind === 'not-kept'
  const missing = [
    ...(result.kind === 'not-kept' && isResultExpected ? (['result'] as const) : []),
    ...(log.kind === 'not-kept' ? (['log'] as const) : []),
  ].filter((what) => !isExplained(what))
  if (missing.length === 0) return
  const what = missing.join(' and ')
  if (ending.status?.finished) step.log.note('not-kept', { what })
  else step.log.note('not-finished', { what, wait: waitAction })
}

interface LossContext {
  /** The words that name the run of a batch, for example ` of Run 12`. */
  owner?: string
  /** Returns true if the error annotation already explains why this file is missing. */
  isExplained?: (what: 'result' | 'log') => boolean
}

/** Warns if a file could not be fetched, or has an unknown content encoding. */
export function reportLosses(
  { conclusion }: Pick<ExecutionReport, 'conclusion'>,
  { result, log }: CollectedFiles,
  { note }: Pick<Step['log'], 'note'>,
  { owner = '', isExplained = () => false }: LossContext = {},
): void {
  const files = [
    { name: 'result', file: result },
    { name: 'log', file: log },
  ] as const
  for (const { name, file } of files) {
    const what = `${name}${owner}`
    if (file.kind === 'file' && file.unknownEncoding !== undefined) {
      note('unknown-encoding', { what, encoding: inline(file.unknownEncoding, 100) })
    }
    // The error annotation already says why a successful run has no result.
    const isInAnnotation = (file === result && conclusion === 'success') || isExplained(name)
    if (file.kind === 'unavailable' && !isInAnnotation) {
      note('not-fetched', { what, why: file.why, wait: waitAction })
    }
  }
}

/** Writes one copy. If writing fails, returns the copy and the reason. Otherwise returns []. */
async function writeCopy({ file, ...copy }: DueCopy, step: Step): Promise<MissingCopy[]> {
  switch (file.kind) {
    case 'not-kept':
      return [{ ...copy, kind: file.kind, why: `the automation keeps no ${copy.what}` }]
    case 'unavailable': {
      const why = `the ${copy.what} could not be fetched: ${file.why}`
      return [{ ...copy, kind: 'not-fetched', why, obstacle: file.obstacle }]
    }
    case 'file':
      try {
        await copyIntoWorkspace(file.path, copy.target, step)
        step.log.info(`Copied to ${copy.target} (${copy.input})`)
        return []
      } catch (error) {
        const why = `${copy.target}: ${describeFileProblem(error)}`
        return [{ ...copy, kind: 'not-written', why }]
      }
  }
}
