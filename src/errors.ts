/** The text of anything thrown, for messages and logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
