/** The copies in the workspace that the workflow asks for. */
import type { CollectedFiles } from '../download/collect.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { describeFileProblem, type LostFile } from '../messages/file-problem.ts'
import type { Step } from '../runner/step.ts'
import { copyIntoWorkspace } from '../runner/workspace.ts'

interface Targets {
  resultFile?: string | undefined
  logFile?: string | undefined
}

/** Only a success replaces what `resultFile` holds: it may be the last good result. */
export async function copyFiles(
  { resultFile, logFile }: Targets,
  { conclusion }: ExecutionReport,
  { result, log }: CollectedFiles,
  step: Step,
): Promise<LostFile[]> {
  const succeeded = conclusion === 'success'
  if (resultFile !== undefined && !succeeded) {
    const why =
      conclusion === 'invalid-result' ? 'the result is invalid' : 'the run did not succeed'
    step.log.info(`result-file: ${resultFile} is left as it is, since ${why}`)
  }
  const lost = [
    await copyTo(succeeded ? resultFile : undefined, result, 'result-file', step),
    await copyTo(logFile, log, 'log-file', step),
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
  input: 'result-file' | 'log-file',
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
