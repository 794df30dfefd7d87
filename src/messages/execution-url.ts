/** Makes the address of an execution's page in the service's dashboard. */

/** Returns the address of the page of an execution. Undefined if the id or `dashboard-url` is missing. */
export type ExecutionUrlOf = (executionId: string | undefined) => string | undefined

export const idPlaceholder = '{execution-id}'

export function executionUrls(dashboardUrl: string | undefined): ExecutionUrlOf {
  return (executionId) =>
    executionId === undefined
      ? undefined
      : dashboardUrl?.replace(idPlaceholder, () => encodeURIComponent(executionId))
}

export function describeExecutionUrl(url: string): string {
  return `Run: ${url}`
}
