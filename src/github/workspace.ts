import { statSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Environment } from './inputs/environment.ts'
import { workspaceOf } from './inputs/environment.ts'

/** A folder of this step's own below the runner's temp folder, which the runner empties. */
export async function makeStepFolder(environment: Environment): Promise<string> {
  return mkdtemp(path.join(environment['RUNNER_TEMP'] ?? tmpdir(), 'run-automation-'))
}

/** Copies a file to a path in the workspace, with the folders that takes. */
export async function copyInto(source: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true })
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
