/** Makes the link from an execution to its page in the service's dashboard. */

/** Returns the link. Returns undefined without an id or without the input `dashboard-url`. */
export type LinkOf = (executionId: string | undefined) => string | undefined

/** Fills the placeholders of `dashboard-url`. The action `wait` knows only the execution id. */
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
