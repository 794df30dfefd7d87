/** Where a file of the workspace may be written, with its symbolic links followed. */
import { access, constants, lstat, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../errors.ts'

/**
 * The path that a file of the workspace really has, behind all symbolic links. Makes nothing.
 *
 * @throws Error that says what keeps it from being written there, as far as that can be seen.
 */
export async function resolveTarget(target: string, workspace: string): Promise<string> {
  const root = await ifThere(realpath(workspace))
  // It is made together with the folders in it.
  if (root === undefined) return target
  // The file itself, or the nearest folder above it that is there.
  let at = target
  let real = await ifThere(realpath(at))
  while (real === undefined) {
    if (await ifThere(lstat(at))) throw new Error('a symbolic link on its way leads nowhere')
    at = path.dirname(at)
    real = await ifThere(realpath(at))
  }
  const way = path.relative(root, real)
  if (way.split(path.sep)[0] === '..' || path.isAbsolute(way)) {
    throw new Error('a symbolic link leads out of the workspace')
  }
  const found = await stat(real)
  const isThere = at === target
  if (!isThere && !found.isDirectory()) throw new Error('a file stands where a folder is needed')
  if (isThere && found.isDirectory()) throw new Error('it is a folder')
  if (isThere && !found.isFile()) throw new Error('not a regular file')
  await access(isThere ? path.dirname(real) : real, constants.W_OK)
  return path.join(real, path.relative(at, target))
}

/** Undefined for what is not there, also where a file stands on the way to it. */
async function ifThere<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
