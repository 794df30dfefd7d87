/** Makes the link from an execution to its page in the service's dashboard. */

/** Returns the link to an execution. Undefined if the id or `dashboard-url` is missing. */
export type LinkOf = (executionId: string | undefined) => string | undefined

/** Makes links by filling the placeholders of `dashboard-url`. Unknown values become empty. */
export function linksTo(
  dashboardUrl: string | undefined,
  { project = '', automation = '' }: { project?: string; automation?: string },
): LinkOf {
  return (executionId) => {
    if (executionId === undefined) return undefined
    const values = new Map([
      ['{execution-id}', executionId],
      ['{project}', project],
      ['{automation}', automation],
    ])
    return dashboardUrl?.replace(/\{[^{}]*\}/g, (name) =>
      encodeURIComponent(values.get(name) ?? ''),
    )
  }
}

export function describeLink(link: string): string {
  return `Run: ${link}`
}
