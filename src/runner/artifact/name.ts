/** Names of artifacts ("Upload artifact": the characters that the artifact service refuses). */
const refused = /["<>|*?:\r\n\\/\p{Cc}]/gu
// The service's own limit is 260; the rest of the room is the runner's.
const longest = 220

/** The name given, or `<automation>-<execution id>` with refused characters replaced by `-`. */
export function artifactNameFor(
  given: string | undefined,
  automation: string,
  executionId: string,
): string {
  if (given !== undefined) return given
  // The id tells artifacts apart, so the automation's name is what is cut. An id has at most 200
  // characters ("Start response", as the contract reads it).
  const id = `-${executionId}`.replace(refused, '-')
  const room = Math.max(0, longest - id.length)
  return `${automation.replace(refused, '-').slice(0, room)}${id}`.toWellFormed()
}
