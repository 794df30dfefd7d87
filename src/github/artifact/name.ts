/** Names of artifacts ("Upload artifact": the characters that the artifact service refuses). */
const refused = /["<>|*?:\r\n\\/\p{Cc}]/gu
// The service's own limit is 260; the rest of the room is the runner's.
const longest = 200

/** The name given, or `<automation>-<execution id>` with refused characters replaced by `-`. */
export function artifactNameFor(
  given: string | undefined,
  automation: string,
  executionId: string,
): string {
  return (
    given ?? `${automation}-${executionId}`.replace(refused, '-').slice(0, longest).toWellFormed()
  )
}
