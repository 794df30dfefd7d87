/**
 * Files on the runner: opens those that someone else may have made, writes whole ones, and resolves
 * paths in the workspace.
 */
import {
  access,
  constants,
  lstat,
  open,
  realpath,
  rename,
  rm,
  stat,
  type FileHandle,
} from 'node:fs/promises'
import path, { type PlatformPath } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { codeOf, describeFileProblem } from '../errors.ts'

const notRegular = 'not a regular file'

/**
 * Opens a regular file. Refuses pipes and devices, because reading them may never end. With the
 * flag `O_NOFOLLOW`, symbolic links are not followed. Windows has neither `O_NOFOLLOW` nor
 * `O_NONBLOCK`.
 *
 * @throws Error that {@link describeReadProblem} can describe.
 */
export async function openRegularFile(
  file: string,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe waits for its other end.
  const opened = await open(file, flags | constants.O_NONBLOCK, 0o600)
  if ((await opened.stat()).isFile()) return opened
  await opened.close()
  throw new Error(notRegular)
}

export function describeReadProblem(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return 'there is no such file; check that an earlier step checks out or creates the file'
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8; save it as UTF-8'
  if (code === 'ENXIO' || code === 'EISDIR') return notRegular
  return describeFileProblem(error)
}

/** The last part of the name of an incomplete file. */
export const partial = '.part'

/**
 * Writes the pieces to a file beside the target, and replaces the target when all pieces are
 * written. Rejects with the errors of `node:fs` and of the pieces. Then an existing target stays
 * unchanged.
 */
export async function writeWhole(
  file: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const beside = `${file}${partial}`
  try {
    // The file is opened here, because a stream that opens its file itself may do so after `rm`
    // below.
    const sink = await open(beside, 'w')
    await pipeline(pieces, sink.createWriteStream())
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
}

/**
 * Returns the real path of a file in the workspace, with all symbolic links followed. Makes
 * nothing.
 *
 * @throws Error that says why the file cannot be written, as far as that can be seen.
 */
export async function resolveTarget(target: string, workspace: string): Promise<string> {
  const root = await ifThere(realpath(workspace))
  // A missing workspace is made together with its folders.
  if (root === undefined) return target
  // The file itself, or the nearest existing folder above it.
  let at = target
  let real = await ifThere(realpath(at))
  while (real === undefined) {
    // Another step may have made the folder since `realpath` looked for it.
    if ((await ifThere(lstat(at)))?.isSymbolicLink()) {
      throw new Error('a symbolic link on its way leads nowhere')
    }
    at = path.dirname(at)
    real = await ifThere(realpath(at))
  }
  if (leadsOut(root, real, path)) throw new Error('a symbolic link leads out of the workspace')
  const found = await stat(real)
  const isThere = at === target
  if (!isThere && !found.isDirectory()) throw new Error('a file stands where a folder is needed')
  if (isThere && found.isDirectory()) throw new Error('it is a folder')
  if (isThere && !found.isFile()) throw new Error(notRegular)
  await access(isThere ? path.dirname(real) : real, constants.W_OK)
  return path.join(real, path.relative(at, target))
}

/** Returns true if a path leads out of a folder, by the rules of a system (`path.win32`). */
export function leadsOut(folder: string, file: string, system: PlatformPath): boolean {
  const way = system.relative(folder, file)
  // The path of another drive stays absolute.
  return way.split(system.sep)[0] === '..' || system.isAbsolute(way)
}

/** Returns undefined if the path does not exist, also if a parent of it is a file. */
async function ifThere<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
