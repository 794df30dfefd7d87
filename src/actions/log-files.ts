/** Logs which files a run has, and which files are missing. */
import { conclusionOf, lostResultOf, type Collected, type End } from '../execution/report.ts'
import { describeSize } from '../messages/quantities.ts'
import type { Step } from '../runner/step.ts'
import { waitAction } from '../version.ts'

export function logFiles(end: End, { log }: Pick<Step, 'log'>): void {
  if (end.kind !== 'collected') return
  const { result, log: runLog } = end.files
  if (result.kind === 'file') log.info(`Result: ${result.path} (${describeSize(result.size)})`)
  if (runLog.kind === 'file') log.info(`Log: ${runLog.path} (${describeSize(runLog.size)})`)
  noteNotKept(end, log)
  logLosses(end, log)
}

function noteNotKept(end: Collected, { note }: Pick<Step['log'], 'note'>): void {
  const { result, log } = end.files
  // A failed run may have no result. Its missing result is reported only with a missing log.
  const isResultExpected = conclusionOf(end) === 'success' || log.kind === 'not-kept'
  const missing = [
    ...(result.kind === 'not-kept' && isResultExpected ? ['result'] : []),
    ...(log.kind === 'not-kept' ? ['log'] : []),
  ]
  if (missing.length === 0) return
  const what = missing.join(' and ')
  if (end.status.finished) note('not-kept', { what })
  else note('not-finished', { what, wait: waitAction })
}

/**
 * Warns if a file could not be fetched. `owner`: the words that name the run of a batch, for example
 * ` of Run 12`.
 */
export function logLosses(end: Collected, { note }: Pick<Step['log'], 'note'>, owner = ''): void {
  const { result, log } = end.files
  const files = [
    { what: `result${owner}`, file: result },
    { what: `log${owner}`, file: log },
  ] as const
  for (const { what, file } of files) {
    // The error annotation already says why a successful run has no result.
    const isInAnnotation = file === result && lostResultOf(end) !== undefined
    if (file.kind === 'unavailable' && !isInAnnotation) {
      note('not-fetched', { what, why: file.why, wait: waitAction })
    }
  }
}
