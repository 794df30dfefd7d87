/** Makes and removes the folder of a step, in the runner's temporary folder. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeFileProblem } from '../errors.ts'
import type { Environment } from './environment.ts'

/**
 * Creates a folder for this step in the runner's temporary folder, which the runner empties.
 *
 * @throws Error with a reason that people can read.
 */
export async function makeStepFolder(environment: Environment): Promise<string> {
  const temp = temporaryFolderOf(environment)
  try {
    await mkdir(temp, { recursive: true })
    return await mkdtemp(path.join(temp, 'run-automation-'))
  } catch (error) {
    throw new Error(`there is no folder for it: ${describeFileProblem(error)}`, { cause: error })
  }
}

/**
 * Returns the path of the runner's temporary folder. The path is absolute, because later steps may
 * have another working directory.
 */
function temporaryFolderOf(environment: Environment): string {
  const named = environment['RUNNER_TEMP'] ?? ''
  return named.trim() === '' ? tmpdir() : path.resolve(named)
}

/** Removes the step's folder. Never rejects, because the runner later removes remaining files. */
export async function removeStepFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
}
