/** Files that someone gives us to read, wherever the job can read them. */
import { constants, open, type FileHandle } from 'node:fs/promises'
import { codeOf, describeFileProblem } from '../messages/file-problem.ts'

const notRegular = 'not a regular file'

/** @throws Error that {@link describeReadProblem} has words for. */
export async function openToRead(file: string): Promise<FileHandle> {
  // Opening a pipe would wait for its writer without O_NONBLOCK, which Windows leaves undefined.
  const opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  // A pipe or a device would hang the read or never end it.
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
