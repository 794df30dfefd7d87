/** Calculates the pause before a request is repeated. All times are in milliseconds. */

/**
 * Returns the pause that a `Retry-After` header requests, in milliseconds. The header has a number
 * of seconds or an HTTP date (RFC 9110, section 10.2.3). `now` is in milliseconds since the epoch.
 * Returns 0 for a date in the past, and undefined if the header is missing or invalid.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  // The maximum is 31 years. No step waits longer.
  if (/^\d+$/.test(value)) return Math.min(Number(value), 999_999_999) * 1000
  // `Date.parse` alone would also accept "-5" and "Monday 7".
  const date = value.endsWith('GMT') ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

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
