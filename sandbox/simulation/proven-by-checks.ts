/** What the checks of an execution prove. These functions must not use the product's code. */
import { outcomeOf } from './execution-plan.ts'
import {
  refusesCredentials,
  type Exchange,
  type Seen,
  type StatusRecord,
  type Traffic,
} from './traffic.ts'

/** Returns the checks that were sent before a moment, or at this moment. */
export function checksUntil(traffic: Traffic, moment: number): Exchange[] {
  return traffic.of('status').filter(({ sentAt }) => sentAt <= moment)
}

/** Returns the newest status of the execution that the service sent. */
export function lastRecord(checks: readonly Exchange[]): StatusRecord | undefined {
  return checks.findLast(({ seen }) => seen.record)?.seen.record
}

/** Returns how long a refusal must last to be final, in milliseconds. Infinity means never. */
export function graceOf(seen: Seen): number {
  if (refusesCredentials(seen)) return seen.isProven ? 30_000 : 0
  if (seen.status === 404 && seen.isWebPage !== true) return 30_000
  return [400, 401, 403, 404, 405, 410, 422].includes(seen.status) ? 300_000 : Infinity
}

/** Returns the checks at the end that got the same answer and nothing else. */
export function lastAlike(checks: readonly Exchange[]): Exchange[] {
  const last = checks.at(-1)?.seen
  const isOther = ({ seen }: Exchange) =>
    seen.status !== last?.status || seen.isWebPage !== last.isWebPage
  return checks.slice(checks.findLastIndex(isOther) + 1)
}

/** Returns true if the last checks got the same refusal for so long that it is final. */
export function isFinalRefusal(checks: readonly Exchange[]): boolean {
  const [first, last] = [lastAlike(checks)[0], checks.at(-1)]
  return first && last ? last.at - first.sentAt >= graceOf(last.seen) : false
}

/** Returns true if the last checks were 404 for so long that the execution counts as missing. */
export function isMissing(checks: readonly Exchange[]): boolean {
  return checks.at(-1)?.seen.status === 404 && isFinalRefusal(checks)
}

/** How long a failure flag without `finished` lasts until it counts as an end, in milliseconds. */
export const flagGrace = 30_000

/** Returns the first valid answer since which all valid answers have a failure flag. */
export function firstFlagged(checks: readonly Exchange[]): Exchange | undefined {
  const proper = checks.filter(({ seen }) => seen.record)
  const isPlain = ({ seen: { record } }: Exchange) => record && outcomeOf(record) === 'success'
  return proper[proper.findLastIndex(isPlain) + 1]
}

/** Returns true if a failure flag without `finished` lasted so long that it counts as an end. */
export function hasLastingFlag(checks: readonly Exchange[]): boolean {
  const last = checks.at(-1)
  const since = firstFlagged(checks)?.sentAt ?? Infinity
  return last?.seen.record !== undefined && last.at - since >= flagGrace
}
