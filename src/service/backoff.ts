/** Calculates the pause before a request is repeated. All times are in milliseconds. */

/**
 * Returns the pause that a `Retry-After` header requests, in milliseconds. The header has a number
 * of seconds or an HTTP date (RFC 9110, section 10.2.3). The date is compared with `sentAt`, the
 * `Date` header of the same response, because the clocks of both machines may differ. If `sentAt`
 * is not a date, `now` (milliseconds since the epoch) is used. Returns 0 for a date in the past,
 * and undefined if the header is missing or invalid.
 */
export function parseRetryAfter(
  header: string | undefined,
  now: number,
  sentAt?: string,
): number | undefined {
  const value = header?.trim() ?? ''
  // The maximum is 31 years. No step waits longer.
  if (/^\d+$/.test(value)) return Math.min(Number(value), 999_999_999) * 1000
  const until = parseDate(value)
  return until === undefined ? undefined : Math.max(0, until - (parseDate(sentAt) ?? now))
}

function parseDate(header: string | undefined): number | undefined {
  const value = header?.trim() ?? ''
  if (!httpDate.test(value)) return undefined
  // Dates in the asctime format have no time zone and mean UTC (RFC 9110, section 5.6.7).
  const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(date) ? undefined : date
}

// `Date.parse` alone would also accept "2", "-5" and "Monday 7".
const httpDate = /^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2} (GMT|\d{4})$/

/**
 * Returns the pause after failure number `n`. The pause is `first` at first and doubles with each
 * failure up to `max`. Jitter removes up to half of a pause, so that parallel jobs spread their
 * requests. No pause is shorter than `first`.
 */
export function growingPause(first: number, n: number, max: number, random: () => number): number {
  return Math.max(first, Math.min(first * 2 ** (n - 1), max) * (0.5 + random() / 2))
}

export const maxPauseAfterFailure = 60_000

/**
 * Returns the pause after `failures` failed checks in a row. The pause is `usual` at first and
 * doubles with each failure up to a minute. Jitter adds up to a quarter of the pause, so that
 * parallel jobs spread their checks. Source: docs/contributing/service.md, "Failed checks".
 */
export function pauseAfterFailure(usual: number, failures: number, random: () => number): number {
  const grown = Math.min(usual * 2 ** (failures - 1), Math.max(usual, maxPauseAfterFailure))
  return grown * (1 + random() / 4)
}

export const firstPauseAfterEnd = 1_000
export const maxPauseAfterEnd = 60_000

/**
 * Returns the pause before the next execution starts. `ended` is the number of failed executions.
 * The pause is 1 s at first and doubles up to a minute. Jitter removes up to half of the pause.
 */
export function pauseBetweenExecutions(ended: number, random: () => number): number {
  const grown = Math.min(firstPauseAfterEnd * 2 ** (ended - 1), maxPauseAfterEnd)
  return grown * (0.5 + random() / 2)
}
