/** The link from an execution to its page in the service's dashboard. */

/** Returns the link, or undefined if there is no id or if `dashboard-url` is not given. */
export type LinkOf = (executionId: string | undefined) => string | undefined

/**
 * Fills the placeholders of `dashboard-url`. `target` is empty in `wait`, which knows only the id.
 */
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

/** The line of the log and of the annotation. */
export function describeLink(link: string): string {
  return `Run: ${link}`
}
