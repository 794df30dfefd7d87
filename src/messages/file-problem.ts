/** Why a file could not be written or read, in words that need no knowledge of error codes. */
import { messageOf } from '../errors.ts'

const words = new Map([
  ['ENOSPC', 'no space left on disk'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'it is larger than the file system allows'],
  ['EACCES', 'permission is denied'],
  ['EPERM', 'permission is denied'],
  ['EROFS', 'the file system is read-only'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a file stands where a folder is needed'],
  ['EEXIST', 'a file stands where a folder is needed'],
  ['ENOENT', 'it is not there'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ELOOP', 'symbolic link loop'],
  ['ENXIO', 'it is a pipe that nobody reads'],
  ['EIO', 'the disk reports an error'],
])

/** The system's code stays in brackets, for those who look it up. Other errors say it themselves. */
export function describeFileProblem(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined) return messageOf(error)
  return `${words.get(code) ?? 'the system refused it'} (${code})`
}

/** The code of an error of the file system; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** A file that an input asks for, or that an output names, and that could not be written. */
export interface LostFile {
  /** The name of that input or output. */
  input: string
  why: string
}
