/** The logs of a batch's runs in the step's log. */
import type { BatchReport } from '../../execution/batch/batch.ts'
import type { RunRecord } from '../../execution/batch/record.ts'
import { readLogEnd } from '../../messages/batch/log-end.ts'
import { nameSeed } from '../../messages/batch/shown-run.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { Step } from '../../runner/step.ts'

// Bytes: of all logs, and what each of many gets.
const mostOfAll = 1024 * 1024
const leastOfEach = 8 * 1024

/** Each folded, in the order of the seeds; together at most 1 MiB, shared among them. */
export async function printLogs(
  { records }: BatchReport,
  { printLog }: Pick<BatchInputs['publishing'], 'printLog'>,
  folder: string,
  { log, secrets }: Step,
): Promise<void> {
  if (printLog === 'never') return
  const isWanted = ({ failsStep }: RunRecord) => printLog === 'always' || failsStep
  let wanted = 0
  for (const record of records) if (isWanted(record)) wanted += 1
  const share = Math.max(leastOfEach, Math.floor(mostOfAll / Math.max(1, wanted)))
  let rest = mostOfAll
  for (const record of records) {
    const { logFile: file } = record
    if (file === undefined || !isWanted(record)) continue
    const text = await readLogEnd({ folder, file }, Math.min(share, rest), secrets.show)
    rest -= Buffer.byteLength(text)
    if (text) log.untrustedBlock(`Log of ${nameSeed(record, secrets.show)}`, text)
    if (rest <= 0) return
  }
}
