/** Opens regular files, writes whole files, and resolves paths in the workspace. */
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
 * Opens a regular file. Refuses pipes and devices, because reading a pipe or a device may never
 * end. Refuses symbolic links if `flags` contains `O_NOFOLLOW`. Windows has neither `O_NOFOLLOW`
 * nor `O_NONBLOCK`.
 *
 * @throws Error that {@link describeReadProblem} can describe.
 */
export async function openRegularFile(
  file: string,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe waits until another process opens the other end.
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

/**
 * Returns the path of a file in the workspace, with all symbolic links resolved. The file does not
 * have to exist. Creates no files or folders.
 *
 * @throws Error with the reason if the file certainly cannot be written.
 */
export async function resolveTarget(target: string, workspace: string): Promise<string> {
  const root = await ifThere(realpath(workspace))
  // A missing workspace is created later, together with the folders of the target.
  if (root === undefined) return target
  // The loop finds the nearest existing path: the target itself, or a path above the target.
  let at = target
  let real = await ifThere(realpath(at))
  while (real === undefined) {
    // `realpath` found nothing. If `lstat` finds a symbolic link, the link is broken, or another
    // step has just created the target of the link.
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

/** Returns true if `file` is outside of `folder`. `system`: path rules, such as `path.win32`. */
export function leadsOut(folder: string, file: string, system: PlatformPath): boolean {
  const way = system.relative(folder, file)
  // On Windows, `path.relative` returns an absolute path if the drives differ.
  return way.split(system.sep)[0] === '..' || system.isAbsolute(way)
}

/** Returns undefined if the promise rejects because a path does not exist. */
async function ifThere<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
