/** The copies of result and log that the workflow asks for. */
import type { Collected } from '../download/collect.ts'
import { concludeFrom } from '../execution/conclusion.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { describeFileProblem } from '../messages/file-problem.ts'
import type { Step } from '../runner/step.ts'
import { copyIntoWorkspace } from '../runner/workspace.ts'

/** A copy that was asked for and could not be written. */
export interface LostCopy {
  input: 'result-file' | 'log-file'
  why: string
}

interface Targets {
  resultFile: string | undefined
  logFile: string | undefined
}

/** Only a success replaces what `resultFile` holds: it may be the last good result. */
export async function copyFiles(
  { resultFile, logFile }: Targets,
  { result, log }: Collected,
  status: ExecutionStatus,
  step: Step,
): Promise<LostCopy[]> {
  const succeeded = concludeFrom(status) === 'success'
  if (resultFile !== undefined && !succeeded) {
    step.log.info(`result-file: ${resultFile} is left as it is, since the run did not succeed`)
  }
  const lost = [
    await copyTo(succeeded ? resultFile : undefined, result, 'result-file', step),
    await copyTo(logFile, log, 'log-file', step),
  ].filter((copy) => copy !== undefined)
  // Of a run that succeeded, the annotation tells it: the step fails.
  if (!succeeded) {
    for (const { input, why } of lost)
      step.log.warning(`${input}: a copy could not be written (${why}).`)
  }
  return lost
}

async function copyTo(
  target: string | undefined,
  kept: DownloadedFile,
  input: LostCopy['input'],
  step: Step,
): Promise<LostCopy | undefined> {
  if (target === undefined) return undefined
  if (kept.kind !== 'file') {
    step.log.warning(`${input}: nothing was written to ${target}, since there is nothing to copy.`)
    return undefined
  }
  try {
    await copyIntoWorkspace(kept.path, target, step)
    step.log.info(`Copied to ${target} (${input})`)
    return undefined
  } catch (error) {
    return { input, why: `${target}: ${describeFileProblem(error)}` }
  }
}
