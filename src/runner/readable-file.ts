/** Files that someone else may have put where they are, and what is wrong with them. */
import { constants, open, type FileHandle } from 'node:fs/promises'
import { codeOf } from '../errors.ts'
import { describeFileProblem } from '../messages/file-problem.ts'

const notRegular = 'not a regular file'

/**
 * Opens a regular file: a pipe or a device would hang whoever reads it, or never end. With
 * `O_NOFOLLOW` among the flags no symbolic link is followed. Windows knows neither that flag nor
 * `O_NONBLOCK`.
 *
 * @throws Error that {@link describeReadProblem} has words for.
 */
export async function openRegularFile(
  file: string,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  // Without O_NONBLOCK opening a pipe waits for its other end.
  const opened = await open(file, flags | constants.O_NONBLOCK, 0o600)
  if ((await opened.stat()).isFile()) return opened
  await opened.close()
  throw new Error(notRegular)
}

export function describeReadProblem(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return 'there is no such file; does a step before this one check out or make it?'
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8; save it as UTF-8'
  // A socket, for one, cannot even be opened.
  if (code === 'ENXIO' || code === 'EISDIR') return notRegular
  return describeFileProblem(error)
}
