/** Describes errors of any kind, and errors of the system. */
import { getSystemErrorMap } from 'node:util'

/** Returns the message of a thrown value. The value can be anything, not only an Error. */
export function messageOf(error: unknown): string {
  return Error.isError(error) ? error.message : String(error)
}

/** Returns the code of a system error, such as `ENOSPC`. Returns undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Returns true if the error, or one of its causes, says that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (codeOf(error) === 'ENOSPC') return true
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause)
}

/** Returns the system's message and code for a file error, without the path of the file. */
export function describeFileProblem(error: unknown): string {
  const code = codeOf(error)
  const known = [...getSystemErrorMap().values()].find(([name]) => name === code)
  return known ? `${known[1]} (${known[0]})` : messageOf(error)
}
