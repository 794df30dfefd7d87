/** Makes the link from an execution to its page in the service's dashboard. */

/** Returns the link to an execution. Undefined if the id or `dashboard-url` is missing. */
export type LinkOf = (executionId: string | undefined) => string | undefined

export const idPlaceholder = '{execution-id}'

export function linksTo(dashboardUrl: string | undefined): LinkOf {
  return (executionId) =>
    executionId === undefined
      ? undefined
      : dashboardUrl?.replace(idPlaceholder, () => encodeURIComponent(executionId))
}

export function describeLink(link: string): string {
  return `Run: ${link}`
}
