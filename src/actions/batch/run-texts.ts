/** The beginnings of the runs' results and the ends of their logs, for people. */
import path from 'node:path'
import { nameRun, type ShownRun } from '../../messages/batch/runs.ts'
import type { ResultHead } from '../../messages/summary/batch.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { Step } from '../../runner/step.ts'
import { readLogEnd, readResultHead } from '../file-ends.ts'
import type { RunFolders } from './run-folders.ts'

// Bytes: of all logs that are printed, and what each of many gets.
const maxLogs = 1024 * 1024
const minLog = 8 * 1024
const maxResults = 10
// Bytes; longer than what is shown of one.
const maxResultRead = 8 * 1024

/** Prints each folded, in the order of the seeds; together at most 1 MiB, shared among them. */
export async function printLogs(
  runs: readonly ShownRun[],
  { printLog }: Pick<BatchInputs['publishing'], 'printLog'>,
  { folder }: RunFolders,
  { log, secrets, cancelled }: Step,
): Promise<void> {
  if (printLog === 'never') return
  const wanted = runs.filter(({ failsStep }) => printLog === 'always' || failsStep)
  const share = Math.max(minLog, Math.floor(maxLogs / Math.max(1, wanted.length)))
  let rest = maxLogs
  for (const run of wanted) {
    if (cancelled.aborted || rest <= 0) return
    if (run.logFile === undefined) continue
    const end = await readLogEnd(path.join(folder, run.logFile), Math.min(share, rest), secrets)
    const text = end.trimEnd()
    rest -= Buffer.byteLength(text)
    if (text) log.untrustedBlock(`Log of ${nameRun(run)}`, text)
  }
}

/** Of the first that succeeded and left one, for the summary. One that is gone is left out. */
export async function readResults(
  runs: readonly ShownRun[],
  { printResult }: Pick<BatchInputs['publishing'], 'printResult'>,
  { folder }: RunFolders,
  { secrets, cancelled }: Step,
): Promise<ResultHead[]> {
  const results: ResultHead[] = []
  if (!printResult) return results
  for (const run of runs) {
    if (cancelled.aborted || results.length === maxResults) break
    if (run.category !== 'succeeded' || run.resultFile === undefined) continue
    const file = path.join(folder, run.resultFile)
    const head = await readResultHead(file, maxResultRead, secrets).catch(() => undefined)
    if (head) results.push({ ...head, run })
  }
  return results
}
