import { lstatSync, statSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Environment } from './inputs/environment.ts'
import { workspaceOf } from './inputs/environment.ts'

/** A folder of this step's own below the runner's temp folder, which the runner empties. */
export async function makeStepFolder(environment: Environment): Promise<string> {
  const temp = environment['RUNNER_TEMP'] ?? tmpdir()
  await mkdir(temp, { recursive: true })
  return mkdtemp(path.join(temp, 'run-automation-'))
}

/**
 * Copies a file to a path in the workspace, with the folders that takes. Throws where symbolic
 * links lead out of the workspace: the path was checked as a text only.
 */
export async function copyIntoWorkspace(
  source: string,
  target: string,
  environment: Environment,
): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true })
  const workspace = await realpath(workspaceOf(environment))
  const folder = await realpath(path.dirname(target))
  const isInside = folder === workspace || folder.startsWith(workspace + path.sep)
  const isLink = lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  if (!isInside || isLink) throw new Error('a symbolic link leads out of the workspace')
  await copyFile(source, target)
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
