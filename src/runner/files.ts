/** Makes and removes the folder of a step, and writes whole files. */
import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { describeFileProblem } from '../errors.ts'
import type { Environment } from './environment.ts'

/** Creates a folder for this step in the runner's temporary folder, which the runner empties. */
export async function makeStepFolder(environment: Environment): Promise<string> {
  const temp = temporaryFolderOf(environment)
  await mkdir(temp, { recursive: true })
  return await mkdtemp(path.join(temp, 'run-automation-'))
}

/**
 * Makes an empty folder for the files of an execution. Removes the files of an earlier execution.
 *
 * @throws Error with a reason that people can read.
 */
export async function makeEmptyFolder(folder: string): Promise<string> {
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  } catch (error) {
    throw new Error(`there is no folder for it: ${describeFileProblem(error)}`, { cause: error })
  }
}

/**
 * Returns the path of the runner's temporary folder. The path is absolute, because later steps may
 * have another working directory.
 */
export function temporaryFolderOf(environment: Environment): string {
  const named = environment['RUNNER_TEMP'] ?? ''
  return named.trim() === '' ? tmpdir() : path.resolve(named)
}

/** Removes a folder. Never rejects, because the runner later removes remaining files. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
}

/** The file name extension of a file that is not completely written yet. */
export const partial = '.part'

/**
 * Writes all pieces to a temporary file beside the target, then replaces the target with this file.
 * If writing fails or `pieces` throws, rejects and leaves an existing target unchanged.
 */
export async function writeWhole(
  file: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const beside = `${file}${partial}`
  try {
    // A stream that opens the file itself could create the file again after `rm` has removed the
    // file. So the file is opened before the stream starts.
    const sink = await open(beside, 'w')
    await pipeline(pieces, sink.createWriteStream())
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
}
