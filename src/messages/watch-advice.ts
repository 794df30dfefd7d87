/** Says what to check if the service refused the status checks of a run. */
import { graceOf } from '../execution/seen.ts'
import { HttpError, type ServiceError } from '../service/service-errors.ts'
import { uuidOf } from '../service/names.ts'
import type { Remedies } from './advice.ts'

/** Says what to check. `wasSeen` is true if the service answered an earlier check properly. */
export function checkAfter(
  failure: ServiceError,
  wasSeen: boolean,
  automation: string | undefined,
): string {
  const isRefusal = graceOf(failure) < Infinity
  if (isRefusal && failure.isWebPage) {
    return 'Check status-base-url (or base-url), and whether a firewall answers in place of the service'
  }
  const isMissing = isNotFound(failure)
  if (isMissing && !wasSeen) return checkOwner(automation)
  return isRefusal && !isMissing
    ? checkRoute(automation)
    : 'Check status-base-url (or base-url), and whether the service is available'
}

export function isNotFound(failure: ServiceError): boolean {
  return failure instanceof HttpError && failure.status === 404
}

/** Returns a sentence about an id from the input that does not look like an id of the service. */
export function doubtOf(
  automation: string | undefined,
  { executionId = '' }: Remedies,
): string | undefined {
  if (automation !== undefined || uuidOf(executionId) !== undefined) return undefined
  return `"${executionId}" does not look like an execution id: as far as is known, the service's ids are UUIDs.`
}

const checkId = 'Check the execution id, status-base-url, and the account of api-token and api-key'

/**
 * Says what to check. If this step started the run, the service sent the id, so the id is right.
 */
function checkRoute(automation: string | undefined): string {
  return automation === undefined
    ? 'Check status-base-url (or base-url) and the execution id'
    : 'Check status-base-url'
}

export function checkOwner(automation: string | undefined): string {
  return automation === undefined
    ? checkId
    : 'Check status-base-url: it must be the service of base-url'
}
