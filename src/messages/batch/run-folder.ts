/** The folder of one run below the batch's: its name, and the record of its execution. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import { executionRecord, type WorkflowRun } from '../execution-record.ts'
import type { Show } from '../text/secrets.ts'

const longestName = 60

/**
 * `12-Berlin`: unique by the number, whatever the label is, and a name that every file system and
 * the artifact service take. Accents go from Latin letters; what else is no ASCII letter or digit
 * becomes a hyphen. A number comes first, so that no name of Windows' devices can come out.
 */
export function runFolderName(index: number, label: string | undefined, show: Show): string {
  const safe = show(label ?? '')
    // More than can be kept, so that a label of any size takes little work.
    .slice(0, 4 * longestName)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/-{2,}/g, '-')
  const number = String(index + 1)
  const name = safe.replace(/^[-._]+/, '').slice(0, longestName - number.length - 1)
  return `${number}-${name}`.replace(/[-._]+$/, '')
}

/** `execution.json` beside result and log. Rejects with the errors of `node:fs`. */
export async function writeRunRecord(
  folder: string,
  report: ExecutionReport,
  workflowRun: WorkflowRun,
  show: Show,
): Promise<void> {
  await writeFile(path.join(folder, 'execution.json'), executionRecord(report, workflowRun, show))
}
