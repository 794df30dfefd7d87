/** The text of anything thrown, for messages and logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The code of an error of the system; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** True if there was no room on the disk, or if that caused the error. */
export function isDiskFull(error: unknown): boolean {
  if (codeOf(error) === 'ENOSPC') return true
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause)
}
