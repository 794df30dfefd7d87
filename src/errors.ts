import { getSystemErrorMap } from 'node:util'

/** The text of anything thrown, for messages and logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the code of a system error, or undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** True if there was no room on the disk, or if that caused the error. */
export function isDiskFull(error: unknown): boolean {
  if (codeOf(error) === 'ENOSPC') return true
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause)
}

/** Returns why a file could not be written or read: the system's words and code without the path. Other errors keep their message. */
export function describeFileProblem(error: unknown): string {
  const code = codeOf(error)
  const known = [...getSystemErrorMap().values()].find(([name]) => name === code)
  return known ? `${known[1]} (${known[0]})` : messageOf(error)
}
