/** Prints the logs of the runs of a batch. */
import path from 'node:path'
import { nameRun, type ShownRun } from '../../messages/batch/runs.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { Step } from '../../runner/step.ts'
import { readLogEnd } from '../file-ends.ts'
import type { RunFolders } from './run-folders.ts'

// The maximum size of all printed logs together, in bytes. Each log gets an equal part, but at
// least `minLog` bytes. When the maximum is reached, the remaining logs are not printed.
export const maxPrintedLogs = 1024 * 1024
const minLog = 8 * 1024

/** Prints the logs as folded groups in the order of the seeds, with at most 1 MiB in total. */
export async function printLogs(
  runs: readonly ShownRun[],
  { printLog }: Pick<BatchInputs['publishing'], 'printLog'>,
  { folder }: RunFolders,
  { log, secrets, cancelled }: Step,
): Promise<void> {
  if (printLog === 'never') return
  const wanted = runs.filter(({ failsStep }) => printLog === 'always' || failsStep)
  const share = Math.max(minLog, Math.floor(maxPrintedLogs / Math.max(1, wanted.length)))
  let rest = maxPrintedLogs
  for (const run of wanted) {
    if (cancelled.aborted || rest <= 0) return
    if (run.logFile === undefined) continue
    const end = await readLogEnd(path.join(folder, run.logFile), Math.min(share, rest), secrets)
    if (end === undefined) {
      log.info(`The log of ${nameRun(run)} is not text, so it is not shown: ${run.logFile}`)
      continue
    }
    const text = end.trimEnd()
    rest -= Buffer.byteLength(text)
    if (text) log.untrustedBlock(`Log of ${nameRun(run)}`, text)
  }
}
