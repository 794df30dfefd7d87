/** Where a file of the workspace may be written, with its symbolic links followed. */
import { access, constants, lstat, readlink, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../messages/file-problem.ts'

const maxLinks = 40

/**
 * The path that a file of the workspace really has, behind all symbolic links. Makes nothing.
 *
 * @throws Error that says what keeps it from being written there, as far as that can be seen.
 */
export async function resolveTarget(target: string, workspace: string): Promise<string> {
  const root = await ifThere(realpath(workspace))
  // It is made together with the folders in it.
  if (root === undefined) return target
  const file = await followLinks(target)
  const folder = await deepestFolder(path.dirname(file))
  const realFolder = await realpath(folder)
  const way = path.relative(root, realFolder)
  if (way.split(path.sep)[0] === '..' || path.isAbsolute(way)) {
    throw new Error('a symbolic link leads out of the workspace')
  }
  const found = await ifThere(stat(file))
  if (found?.isDirectory()) throw new Error('it is a folder')
  if (found && !found.isFile()) throw new Error('not a regular file')
  await access(realFolder, constants.W_OK)
  return path.join(realFolder, path.relative(folder, file))
}

/** The target of a symbolic link may be missing: writing through the link would make it. */
async function followLinks(target: string): Promise<string> {
  let file = target
  for (let links = 0; links < maxLinks; links++) {
    const found = await ifThere(lstat(file))
    if (!found?.isSymbolicLink()) return file
    file = path.resolve(await realpath(path.dirname(file)), await readlink(file))
  }
  throw new Error('symbolic link loop')
}

/** The folder itself, or the nearest above it that is there. */
async function deepestFolder(folder: string): Promise<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = await ifThere(stat(at))
    if (found?.isDirectory()) return at
    if (found) throw new Error('a file stands where a folder is needed')
    if (await ifThere(lstat(at))) throw new Error('a symbolic link on its way leads nowhere')
  }
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
