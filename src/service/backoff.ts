/** How long to pause before a request is repeated. All spans are milliseconds. */

/**
 * Returns the span of a `Retry-After` header: a number of seconds or an HTTP date (RFC 9110,
 * section 10.2.3). A date is measured from `sentAt`, the `Date` header of the same response,
 * because the clocks may differ. If `sentAt` is not a date, it is measured from `now` (milliseconds
 * since the epoch). Returns 0 for a date in the past, and undefined if the header is missing or
 * invalid.
 */
export function parseRetryAfter(
  header: string | undefined,
  now: number,
  sentAt?: string,
): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const until = parseDate(value)
  return until === undefined ? undefined : Math.max(0, until - (parseDate(sentAt) ?? now))
}

function parseDate(header: string | undefined): number | undefined {
  const value = header?.trim() ?? ''
  if (!httpDate.test(value)) return undefined
  // asctime dates name no zone and mean UTC (RFC 9110, section 5.6.7).
  const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(date) ? undefined : date
}

// Date.parse alone would accept "2", "-5" and "Monday 7".
const httpDate = /^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2} (GMT|\d{4})$/

export const maxPauseAfterFailure = 60_000

/**
 * The pause after `failures` failed checks in a row: `usual`, doubled with each further failure up
 * to a minute, with jitter of up to a quarter so that the jobs of a matrix spread.
 * Source: docs/contributing/service.md, "Failed checks".
 *
 * @param random returns a number from 0 to below 1
 */
export function pauseAfterFailure(usual: number, failures: number, random: () => number): number {
  const grown = Math.min(usual * 2 ** (failures - 1), Math.max(usual, maxPauseAfterFailure))
  return grown * (1 + random() / 4)
}

/**
 * Returns the pause after try number `attempt` of a request that is sent at most once:
 * `firstPause`, doubled with each further try, minus jitter of up to a half. With `retryAfter`, the
 * pause is not shorter than `retryAfter` or `firstPause`.
 * Source: docs/contributing/service.md, "Sending again".
 *
 * @param random returns a number from 0 to below 1
 */
export function pauseBeforeRetry(
  firstPause: number,
  attempt: number,
  retryAfter: number | undefined,
  random: () => number,
): number {
  const grown = firstPause * 2 ** (attempt - 1) * (0.5 + random() / 2)
  if (retryAfter === undefined) return grown
  return Math.max(retryAfter, grown, firstPause)
}

export const firstPauseAfterEnd = 1_000
export const maxPauseAfterEnd = 60_000

/**
 * The pause after `ended` executions that failed, before the next one is started: 1 s, doubled with
 * each further one up to a minute, with jitter that takes off up to a half.
 *
 * @param random returns a number from 0 to below 1
 */
export function pauseBetweenExecutions(ended: number, random: () => number): number {
  const grown = Math.min(firstPauseAfterEnd * 2 ** (ended - 1), maxPauseAfterEnd)
  return grown * (0.5 + random() / 2)
}
