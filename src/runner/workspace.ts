import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { describeFileProblem } from '../messages/file-problem.ts'
import type { Environment } from './inputs/environment.ts'
import { workspaceOf } from './inputs/environment.ts'
import { resolveTarget } from './workspace-target.ts'

/**
 * A folder of this step's own below the runner's temp folder, which the runner empties.
 *
 * @throws Error with a reason for people.
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

/** Absolute: outputs have paths in it, which steps with another working directory use. */
export function temporaryFolderOf(environment: Environment): string {
  const named = environment['RUNNER_TEMP'] ?? ''
  return named.trim() === '' ? tmpdir() : path.resolve(named)
}

/** Never rejects: what cannot be removed is left to the runner. */
export async function removeStepFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
}

export interface CopyContext {
  environment: Environment
  cancelled: AbortSignal
}

/**
 * Copies a file to a path in the workspace, with the folders that takes. What was there stays until
 * the copy is whole. Throws where the path cannot be written, symbolic links out of the workspace
 * included, and where the step is cancelled.
 */
export async function copyIntoWorkspace(
  source: string,
  target: string,
  { environment, cancelled }: CopyContext,
): Promise<void> {
  const workspace = workspaceOf(environment)
  await mkdir(path.dirname(await resolveTarget(target, workspace)), { recursive: true })
  // Once the folders are there, none of them can be a link that was not followed.
  const file = await resolveTarget(target, workspace)
  const beside = path.join(path.dirname(file), `.run-automation-${randomUUID()}.part`)
  try {
    const sink = createWriteStream(beside, { flags: 'wx', mode: await modeOf(file) })
    // Unlike copyFile it ends at once when the step is cancelled, and leaves no part.
    await pipeline(createReadStream(source), sink, { signal: cancelled })
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    cancelled.throwIfAborted()
    throw error
  }
}

/** The permissions of the file that is replaced, or those of any new file. */
async function modeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  return found ? found.mode & 0o777 : 0o666
}

/**
 * The path, relative to the workspace and with `/`, of the file that a traceback names: as it is
 * named, or by the longest end of an absolute path that exists here. A bare file name of such a
 * path proves nothing. Undefined where there is none.
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
    // A name that the file system refuses (too long, a NUL in it) is no file either.
    return false
  }
}
