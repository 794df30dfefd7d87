/** Fetches the files of an execution that has ended, and validates its result. */
import type { Cause } from '../cause/find-cause.ts'
import type { CollectContext } from '../download/collect.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { Store } from '../download/store.ts'
import { isExplainedByLog } from './conclusion.ts'
import type { Emit } from './events.ts'
import type { Collected, Validation, WatchEnd } from './report.ts'
import type { WatchEnv } from './watch.ts'

/** A result that was fetched, or that the service does not keep. */
export type FetchedResult = Exclude<DownloadedFile, { kind: 'unavailable' }>

export interface CollectEnv extends WatchEnv {
  store: Store
  /** Creates the folder for the result and the log. Rejects with a message for users. */
  makeFolder: () => Promise<string>
  /** Undefined if any number of downloads may run in parallel. */
  withinDownloadLimit?: CollectContext['withinDownloadLimit']
  /** Returns why a run failed, in the words of its log, redacted and cut. */
  readCause: (logFile: string) => Promise<Cause | undefined>
  /**
   * Returns what became of the validation of a result. Rejects if the step is cancelled. Undefined if
   * the step has no `result-schema`.
   */
  validate: ((result: FetchedResult) => Promise<Validation>) | undefined
}

/** `deadlineAt` is the time when the step's timeout ends. */
export async function collectRun(
  { executionId, seen, outcome, status }: Extract<WatchEnd, { kind: 'finished' }>,
  deadlineAt: number,
  env: CollectEnv,
  emit: Emit,
): Promise<Collected> {
  // The import is here and not at the top, so that it does not delay the start request.
  const { collect } = await import('../download/collect.ts')
  const { sendCheck, store, clock, random, cancelled, makeFolder, withinDownloadLimit } = env
  const files = await collect(status, {
    check: (signal) => sendCheck(executionId, signal, 'links'),
    store,
    clock,
    random,
    cancelled,
    deadlineAt,
    makeFolder,
    onDownload: (download) => emit({ kind: 'download', download }),
    withinDownloadLimit,
  })
  const { result, log } = files
  const isRead = isExplainedByLog(outcome) && log.kind === 'file'
  const cause = isRead ? await env.readCause(log.path) : undefined
  const validation = outcome === 'success' ? await validateResult(result, env) : passed
  return { kind: 'collected', executionId, seen, outcome, status, files, cause, validation }
}

const passed = { kind: 'passed' } as const
const interrupted = { kind: 'interrupted' } as const

async function validateResult(
  result: DownloadedFile,
  { validate, cancelled }: CollectEnv,
): Promise<Validation> {
  // The download may have failed because the step was cancelled. Then the run is no success.
  if (result.kind === 'unavailable') return cancelled.aborted ? interrupted : passed
  if (!validate) return passed
  try {
    return await validate(result)
  } catch (error) {
    if (!cancelled.aborted) throw error
    return interrupted
  }
}
