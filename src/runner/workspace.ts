import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { describeFileProblem } from '../errors.ts'
import { workspaceOf, type Environment } from './environment.ts'
import { resolveTarget } from './files.ts'

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
export function temporaryFolderOf(environment: Environment): string {
  const named = environment['RUNNER_TEMP'] ?? ''
  return named.trim() === '' ? tmpdir() : path.resolve(named)
}

/** Removes the step's folder. Never rejects, because the runner later removes remaining files. */
export async function removeStepFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
}

export interface CopyContext {
  environment: Environment
  cancelled: AbortSignal
}

/**
 * Copies a file to a path in the workspace, and creates missing folders. An existing file is
 * replaced when the copy is complete. Rejects if the path cannot be written, if a symbolic link
 * leads out of the workspace, or if the step is cancelled.
 */
export async function copyIntoWorkspace(
  source: string,
  target: string,
  { environment, cancelled }: CopyContext,
): Promise<void> {
  const workspace = workspaceOf(environment)
  await mkdir(path.dirname(await resolveTarget(target, workspace)), { recursive: true })
  // All folders exist now, so the second call can follow every symbolic link in the path.
  const file = await resolveTarget(target, workspace)
  const beside = path.join(path.dirname(file), `.run-automation-${randomUUID()}.part`)
  try {
    const sink = createWriteStream(beside, { flags: 'wx', mode: await modeOf(file) })
    // A pipeline ends immediately when the step is cancelled. copyFile cannot be cancelled.
    await pipeline(createReadStream(source), sink, { signal: cancelled })
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    cancelled.throwIfAborted()
    throw error
  }
}

/** Returns the permissions of an existing file, or the default permissions of a new file. */
async function modeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  return found ? found.mode & 0o777 : 0o666
}

/**
 * Returns a function that finds a source file in the workspace. The argument is a path from a
 * traceback. Returns the path relative to the workspace with `/`, or undefined. For an absolute
 * path, removes one leading folder after the other until a file exists. Does not try the file name
 * alone, because another file may have the same name.
 */
export function finderIn(environment: Environment): (file: string) => string | undefined {
  const workspace = workspaceOf(environment)
  return (file) => {
    const parts = file.split(/[\\/]+/).filter((part) => part !== '' && part !== '.')
    if (parts.includes('..')) return undefined
    const isAbsolute = path.posix.isAbsolute(file) || path.win32.isAbsolute(file)
    const last = isAbsolute ? parts.length - 2 : 0
    for (let from = 0; from <= last; from++) {
      const candidate = parts.slice(from)
      if (isFile(path.join(workspace, ...candidate))) return candidate.join('/')
    }
    return undefined
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    // The file system refuses some names, for example names that are too long or contain NUL.
    return false
  }
}
