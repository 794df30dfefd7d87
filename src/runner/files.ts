/** Opens regular files, and writes whole files. */
import { constants, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { codeOf, describeFileProblem } from '../errors.ts'

const notRegular = 'not a regular file'

/**
 * Opens a regular file. Refuses pipes and devices, because reading a pipe or a device may never
 * end. Windows has no `O_NONBLOCK`.
 *
 * @throws Error that {@link describeReadProblem} can describe.
 */
export async function openRegularFile(file: string): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe waits until another process opens the other end.
  const opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
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
